# encode: the writer, which fills a buffer from its end.
#
# Called by later layers:
#
# Exceptions, which refer to later layers:
