"""How any paged cache is held against the spec: protocol, operations, lockstep, state machine, histories, shrinker."""
