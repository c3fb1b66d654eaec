"""Which lines of the package the suite runs, and why it does not run the others: `make coverage`."""
