"""The root-signature string language: text to a plain tree with character spans."""
