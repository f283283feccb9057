"""What a person vouched for, kept in the home: settings files, lists of tools, calls. No client can write here."""
