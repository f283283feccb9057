"""How long something takes, as people say it: two digits, in the unit that they would choose."""

_UNITS = ((3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds"))


def lasting(seconds: float) -> str:
    """`12 seconds`, `2.5 minutes`, `31 hours`; `under a second` for what nobody waits for."""
    for length, name in _UNITS:
        # 59.6 seconds are a minute already, as they are written.
        if seconds >= 0.995 * length:
            number = seconds / length
            said = f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")
            return f"{said} {name[:-1] if said == '1' else name}"
    return "under a second"
