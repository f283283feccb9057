"""From a `Report` to something a person reads. `tables` holds plain rows that markdown and terminal share."""
