"""The command line: arguments → library calls → print; exit codes."""
