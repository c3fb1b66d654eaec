"""A peer whose library raises an error when it is imported."""

raise RuntimeError("wrong platform")
