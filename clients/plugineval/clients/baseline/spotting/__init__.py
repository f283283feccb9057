"""Values that can be read off a text: numbers, times, dates, zones, expressions, lists, quoted and named spans."""
