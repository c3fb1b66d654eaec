# encode: the general encoder, the fast path, and the entry points for values and streams.
#
# Called by later layers:
#
# Exceptions, which refer to later layers:
