"""Single facts that rules ask for beyond bindings: subscripts, constants, odd annotations."""
