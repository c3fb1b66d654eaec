"""The lines of the package that the suite runs, and the reasons why it does not run the others: `make coverage`."""
