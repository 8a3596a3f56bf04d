"""The audit of shader repositories: what there is to analyse, processes that do, a store of results, what it says."""
