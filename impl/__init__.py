"""How it is done: the cache, its arrays and its exports. Imports nothing of ours from outside this package."""
