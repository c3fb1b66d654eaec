"""Conversion of BER to DER: tables of X.690 clause 8, properties, and files of others."""
