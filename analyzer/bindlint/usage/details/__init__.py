"""Single facts that rules ask for beyond bindings: subscripts, merged resources, constants, odd annotations."""
