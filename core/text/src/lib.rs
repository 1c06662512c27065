#![doc = include_str!("../README.md")]

pub mod decimal;
pub mod digits;
pub mod error;
pub mod grow;
pub mod json;
pub mod lookalike;
pub mod order;
pub mod slice;
pub mod time;
pub mod window;
