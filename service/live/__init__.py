"""Games that go on: their audit as they grow, and those who follow them."""
