//! Rules that no vector reaches.
