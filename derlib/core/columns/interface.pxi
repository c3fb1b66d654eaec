# columns: from encodings to Arrow arrays, without Python objects for the values.
#
# Called by later layers:
#
# Exceptions, which refer to later layers:
