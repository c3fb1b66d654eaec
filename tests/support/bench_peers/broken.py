"""A peer whose library breaks when it is imported."""

raise RuntimeError("wrong platform")
