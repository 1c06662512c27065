#![doc = include_str!("../README.md")]

pub mod error;
pub mod json;
pub mod translate;
pub mod vocabulary;
