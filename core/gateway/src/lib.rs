#![doc = include_str!("../README.md")]

pub mod call;
pub mod capture;
pub mod mcp;
pub mod query;
pub mod rest;
pub mod service;
pub mod store;
