"""Function bodies: their text as steps, what each reads and calls, and under which conditions it runs."""
