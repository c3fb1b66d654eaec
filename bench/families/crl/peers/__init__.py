"""One module for each peer of the family `crl`; a worker imports one of them.

The facts of a CRL are its thisUpdate, then each entry: serial number, seconds since 1970, extensions.
"""
