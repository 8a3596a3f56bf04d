"""Rules about hardware: resource binding tiers, feature levels, and what a shader model has."""
