//! The judge of `@context` objects, and its refusals.

use super::Addresses;

/// A fault in a `@context`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The JSON Pointer of what is refused.
    pub path: String,
    /// The rule that refuses it.
    pub keyword: &'static str,
    /// What was found and what is accepted, in words.
    pub message: String,
}

/// The most refusals that are recorded.
const MAX_REFUSALS: usize = 20;

/// Records what is refused in a `@context`. A lenient judge refuses nothing.
#[derive(Debug)]
pub struct Judge<'a> {
    /// The contexts that are known; `None` for a lenient judge.
    addresses: Option<&'a Addresses>,
    /// The JSON Pointer of what is being read.
    path: String,
    pub(super) refusals: Vec<Refusal>,
    has_refused: bool,
}

impl<'a> Judge<'a> {
    /// A judge that refuses nothing.
    pub fn lenient() -> Self {
        Self { addresses: None, path: String::new(), refusals: Vec::new(), has_refused: false }
    }

    /// A judge that refuses unknown addresses and faulty definitions.
    pub fn new(addresses: &'a Addresses) -> Self {
        Self { addresses: Some(addresses), ..Self::lenient() }
    }

    /// Runs `work` one step further down.
    pub fn below<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.addresses.is_none() {
            return work(self);
        }
        let above = self.enter(step);
        let done = work(self);
        self.leave(above);
        done
    }

    /// Goes one step down; [`leave`](Self::leave) with the result goes back.
    pub fn enter(&mut self, step: &str) -> usize {
        let above = self.path.len();
        epcis_edge_text::json::push_step(&mut self.path, step);
        above
    }

    /// Goes back up to the path that `enter` left.
    pub fn leave(&mut self, above: usize) {
        self.path.truncate(above);
    }

    /// The JSON Pointer of the current value.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Goes to this path.
    pub fn go_to(&mut self, path: &str) {
        self.path.clear();
        self.path.push_str(path);
    }

    /// Refuses the `@context` at the current path, or a part of it.
    pub fn refuse(&mut self, message: impl Into<String>) {
        self.has_refused |= self.addresses.is_some();
        self.refuse_by("@context", message);
    }

    /// Refuses the value at the current path by a rule that is not about contexts.
    pub fn refuse_by(&mut self, keyword: &'static str, message: impl Into<String>) {
        if self.addresses.is_some() && self.refusals.len() < MAX_REFUSALS {
            self.refusals.push(Refusal {
                path: self.path.clone(),
                keyword,
                message: message.into(),
            });
        }
    }

    /// Refuses the value one step further down.
    pub fn below_refuse(&mut self, step: &str, message: &str) {
        self.below(step, |judge| judge.refuse(message));
    }

    pub(super) fn address(&mut self, address: &str) {
        if let Some(known) = self.addresses
            && !known.is_known(address)
        {
            let address = epcis_edge_text::error::excerpt(address);
            self.refuse(format!(
                "the context `{address}` is not known here and could bind any name to the gateway's; known are the official ones \
                 and those that the deployment allows"
            ));
        }
    }

    /// Whether any context was refused.
    pub fn has_refused(&self) -> bool {
        self.has_refused
    }

    /// The refusals, in order.
    pub fn into_refusals(self) -> Vec<Refusal> {
        self.refusals
    }
}
