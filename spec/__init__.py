"""What is right: small, slow, obvious Python. Imports nothing of ours and nothing from outside."""
