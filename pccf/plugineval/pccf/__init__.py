"""The construction engine (PCCF): which labelled tool calls may be trusted, and which are still missing.

Stage I (`verification`) accepts an annotation only after schema validation, argument evaluation, execution through
MCP and result evaluation. Stage II (`coverage`, `calibration`) finds the scenario x difficulty units that are short
of examples and asks for exactly those. `loop` closes the circle. Everything here is a pure decision or a port: no
network, no MCP, no database.
"""
