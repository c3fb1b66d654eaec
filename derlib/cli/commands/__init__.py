"""The commands: each module is named like its command and defines it as the class `Command`."""
