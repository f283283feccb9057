"""What real users asked: logs of conversations read as queries, with secrets and personal data masked on the way in."""
