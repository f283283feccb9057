"""From outcomes to what to fix first: model, descriptions, names, schema or precheck, by numbers that are printed."""
