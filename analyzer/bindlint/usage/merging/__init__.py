"""What resource variables stand for. A register must be known when a shader is compiled, so each must come to one.

An abstract interpreter follows a shader from its entry points: `statements` run blocks, branches and loops, `values`
the expressions and calls in them. A `State` says of every variable that holds a resource which globals it may stand for
(`Standing`); where two ways meet, so do their states, and `conditions` says whether an optimizer may know which way is
taken. Where a variable is read that may stand for several, or for none, and `kept` says that the result is needed, the
compiler cannot map it. An error is called sure only where no optimizer can help (`Doubt`). Shaders that move no
resources are told by `candidates` and not followed.
"""
