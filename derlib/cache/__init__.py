"""Keep decoded structures, and what was made of them, in any mapping of names to octets.

`Cache` is the cache, `DirectoryStore` a store of our own for it, `fingerprint` what tells schemas apart. Signed
entries need the extra `derlib[cache]`; the rest needs nothing. The page docs/cache.md says what for, and when not.
"""

from derlib.cache._cache import Cache
from derlib.cache._fingerprint import fingerprint
from derlib.cache._store import DirectoryStore

__all__ = ["Cache", "DirectoryStore", "fingerprint"]
