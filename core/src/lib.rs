#![doc = include_str!("../README.md")]

pub mod call;
pub mod capture;
pub mod check;
mod containment;
mod context;
mod decimal;
mod digits;
pub mod error;
mod field;
pub mod follow;
mod grow;
pub mod hash;
pub mod identifier;
pub mod json;
pub mod log;
pub mod mcp;
mod order;
pub mod query;
pub mod report;
pub mod rest;
pub mod service;
pub mod store;
pub mod time;
pub mod translate;
pub mod validate;
pub mod vocabulary;
mod window;
