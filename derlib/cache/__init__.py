"""A cache of decoded structures, and of values computed from them, in any mapping of str to bytes.

`Cache` is the cache, `DirectoryStore` a store in a folder, and `fingerprint` identifies a schema. Signed entries need
the extra ``derlib[cache]``. The page docs/cache.md says when to use a cache.
"""

from derlib.cache._cache import Cache
from derlib.cache._fingerprint import fingerprint
from derlib.cache._store import DirectoryStore

__all__ = ["Cache", "DirectoryStore", "fingerprint"]
