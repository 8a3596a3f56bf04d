"""Rules about one root signature, whatever shader it is for."""
