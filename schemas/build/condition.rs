//! Conditions on a member, and the cases that they distinguish.

/// The assumption about a value while its rules are merged.
#[derive(Clone)]
pub(super) enum Case {
    /// No assumption: what a condition leads to is not merged.
    Unknown,
    NoObject,
    /// The deciding member has this value.
    Word(String),
    /// The deciding member has none of the listed values.
    Otherwise,
}

/// The condition that a member has one of some values.
pub(super) struct Condition {
    pub(super) member: String,
    pub(super) words: Vec<String>,
    pub(super) is_negated: bool,
    pub(super) needs_object: bool,
}

impl Condition {
    /// Whether it holds in a case.
    pub(super) fn holds(&self, case: &Case) -> bool {
        let holds = match case {
            Case::Unknown | Case::Otherwise => false,
            Case::NoObject => !self.needs_object,
            Case::Word(word) => self.words.contains(word),
        };
        holds != self.is_negated
    }
}
