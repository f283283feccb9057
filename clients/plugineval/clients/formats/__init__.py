"""Files of cases, read into the harness's neutral shape."""
