//! Loader and runners of the test vectors.

pub mod translate;
