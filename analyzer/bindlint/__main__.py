"""`python -m bindlint`."""

from bindlint.cli import main

if __name__ == "__main__":
    main()
