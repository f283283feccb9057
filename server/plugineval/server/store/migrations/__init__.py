"""The history of the tables, one script a change; run by the store itself when it opens an older database.

A script is written by hand, never imports the tables (they move on, history does not) and holds DDL that works on
SQLite and PostgreSQL. Its revision is appended to `REVISIONS` in `plugineval.server.store.schema`.
"""
