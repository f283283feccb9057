"""The measurement harness: what a model did with each case, in which of the mutually exclusive ways it failed, and
how sure the numbers are. Results carry scope, metric definition, date and expiry. Pure decisions plus ports: no
network, no MCP, no database.
"""
