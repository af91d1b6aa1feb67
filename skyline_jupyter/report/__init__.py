"""PURE: what one profile learned, frozen, as JSON and back."""
