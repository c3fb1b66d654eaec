"""`python -m derlib` is the command `derlib`."""

from derlib.cli import main

if __name__ == "__main__":
    main()
