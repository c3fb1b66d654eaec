"""Values and errors as text, as JSON and as HTML."""
