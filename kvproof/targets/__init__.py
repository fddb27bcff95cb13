"""The caches that can be held against the spec by name, one file each. Anybody's joins them as `module:factory`."""
