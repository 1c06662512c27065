//! Conditions on a member, and the cases that they tell apart.

/// What is assumed of the value while rules are merged.
#[derive(Clone)]
pub(super) enum Case {
    /// Nothing: a condition stops the merging.
    Unknown,
    NoObject,
    /// The member that decides has this value.
    Word(String),
    /// It has another one.
    Otherwise,
}

/// Whether a member has one of some values.
pub(super) struct Condition {
    pub(super) member: String,
    pub(super) words: Vec<String>,
    pub(super) is_negated: bool,
    pub(super) needs_object: bool,
}

impl Condition {
    /// Whether it holds of a value of which a case is assumed.
    pub(super) fn holds(&self, case: &Case) -> bool {
        let holds = match case {
            Case::Unknown | Case::Otherwise => false,
            Case::NoObject => !self.needs_object,
            Case::Word(word) => self.words.contains(word),
        };
        holds != self.is_negated
    }
}
