"""Pages and charts from stored results: `python -m bench report`, and bench/readme.py for the documentation."""
