#![doc = include_str!("../README.md")]

pub mod error;
pub mod hash;
pub mod identifier;
pub mod json;
pub mod time;
pub mod vocabulary;
