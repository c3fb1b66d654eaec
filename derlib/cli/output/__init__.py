"""Where the commands write: standard output, standard error, a pager or a file."""
