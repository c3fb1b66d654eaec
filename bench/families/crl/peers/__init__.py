"""One module for each peer of the family `crl`; a worker imports one of them.

Facts of a CRL are its thisUpdate, then each entry: serial number, seconds since 1970, extensions.
"""
