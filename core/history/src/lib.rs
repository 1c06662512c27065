#![doc = include_str!("../README.md")]

pub mod containment;
pub mod follow;
pub mod withdrawn;
