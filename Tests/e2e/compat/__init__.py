"""Data of released versions: how it is recorded (`recording`), restored and presented to the current program."""
