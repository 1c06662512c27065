#![doc = include_str!("../README.md")]

pub mod error;
pub mod json;
pub mod rest;
pub mod service;
pub mod validate;
pub mod vocabulary;
