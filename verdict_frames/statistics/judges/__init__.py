"""Numbers about judges: what they said, how often they broke down, whether they agree."""
