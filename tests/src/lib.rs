//! Loader and runners of the test vectors.
