"""Pages and charts from stored results: `python -m bench report`, and `python -m bench.readme` for the documentation.

results.py puts figures into words, charts.py says what a chart shows, draw.py makes an SVG of that; report.py writes
the page with tables.py, opening with limits.py. Nothing here measures anything.
"""
