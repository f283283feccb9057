"""Settings: read once at the edge, validated, frozen."""
