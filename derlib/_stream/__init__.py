"""The implementation of `derlib.stream.open`, which reads an encoding that does not fit in memory.

`Window` holds the bytes that were read and are not used yet. An `OpenElement` is an element that is too large to be
read as a whole, or that contains a part that the caller asked for. `Walker` has a stack of open elements, and moves
forward through the encoding. `Stream` is the public class.
"""
