#![doc = include_str!("../README.md")]

pub mod calculation;
pub mod context;
pub mod event;
pub mod field;
pub mod hash;
pub mod identifier;
#[cfg(test)]
mod made;
pub mod master_data;
pub mod normal;
pub mod repair;
pub mod translate;
pub mod validate;
pub mod vocabulary;
