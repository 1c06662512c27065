//! Where the elements of a document end, told without reading them: the reader works on whole elements only.
//!
//! Nothing is judged here. What is no XML may be split wrongly; then the reader sees a document that ends too early, waits
//! for more of it, and names the fault at the latest when there is no more.

/// Goes through a text that grows at its end and is cut at its start.
#[derive(Debug)]
pub(super) struct Splitter {
    /// How much of the text was looked at.
    at: usize,
    /// Where the markup that is open starts.
    start: usize,
    state: State,
    /// How many elements are open.
    depth: usize,
    /// For each depth, where the last element of that depth ends; zero where none does.
    ends: Vec<usize>,
    /// Where the last markup ends.
    cut: usize,
    /// The least depth of an element of which a tag was seen since this was asked.
    shallowest: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Text,
    /// Behind `<`: what it is shows later.
    Open,
    StartTag {
        quote: Option<u8>,
    },
    EndTag,
    Comment,
    CharacterData,
    Instruction,
    DocumentType {
        brackets: usize,
    },
}

impl Splitter {
    pub(super) fn new() -> Self {
        Self {
            at: 0,
            start: 0,
            state: State::Text,
            depth: 0,
            ends: Vec::new(),
            cut: 0,
            shallowest: usize::MAX,
        }
    }

    /// For each depth, where the last element of that depth ends; zero where none does.
    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Where the last markup ends.
    pub(super) fn cut(&self) -> usize {
        self.cut
    }

    /// How many elements are open where the text ends.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The least depth of an element of which a tag was seen since this was last asked.
    pub(super) fn take_shallowest(&mut self) -> usize {
        std::mem::replace(&mut self.shallowest, usize::MAX)
    }

    /// Looks at what was appended to the text.
    pub(super) fn go_on(&mut self, text: &str) {
        let bytes = text.as_bytes();
        while let Some(rest) = bytes.get(self.at..).filter(|rest| !rest.is_empty()) {
            match self.state {
                State::Text => match rest.iter().position(|&byte| byte == b'<') {
                    Some(length) => {
                        self.start = self.at + length;
                        self.at = self.start + 1;
                        self.state = State::Open;
                    }
                    None => self.at = bytes.len(),
                },
                State::Open => {
                    let markup = bytes.get(self.start..).unwrap_or_default();
                    let Some(state) = kind_of(markup) else { return };
                    self.state = state;
                }
                State::StartTag { quote } => self.start_tag(rest, quote, bytes),
                State::EndTag => match rest.iter().position(|&byte| byte == b'>') {
                    Some(length) => {
                        self.at += length + 1;
                        self.depth = self.depth.saturating_sub(1);
                        self.end_element();
                        self.end_markup();
                    }
                    None => self.at = bytes.len(),
                },
                State::Comment => self.until(bytes, b"-->", b"<!--".len()),
                State::CharacterData => self.until(bytes, b"]]>", b"<![CDATA[".len()),
                State::Instruction => self.until(bytes, b"?>", b"<?".len()),
                State::DocumentType { brackets } => self.document_type(rest, brackets),
            }
        }
    }

    fn start_tag(&mut self, rest: &[u8], quote: Option<u8>, bytes: &[u8]) {
        let mut quote = quote;
        for (length, &byte) in rest.iter().enumerate() {
            match (quote, byte) {
                (Some(open), byte) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'>') => {
                    self.at += length;
                    let is_empty = self
                        .at
                        .checked_sub(1)
                        .is_some_and(|before| bytes.get(before) == Some(&b'/'));
                    self.at += 1;
                    if is_empty {
                        self.end_element();
                    } else {
                        self.shallowest = self.shallowest.min(self.depth);
                        self.depth += 1;
                    }
                    return self.end_markup();
                }
                _ => {}
            }
        }
        self.at += rest.len();
        self.state = State::StartTag { quote };
    }

    fn document_type(&mut self, rest: &[u8], brackets: usize) {
        let mut brackets = brackets;
        for (length, &byte) in rest.iter().enumerate() {
            match byte {
                b'[' => brackets += 1,
                b']' => brackets = brackets.saturating_sub(1),
                b'>' if brackets == 0 => {
                    self.at += length + 1;
                    return self.end_markup();
                }
                _ => {}
            }
        }
        self.at += rest.len();
        self.state = State::DocumentType { brackets };
    }

    /// Goes on to the end of a markup that begins with so many bytes and ends with these.
    fn until(&mut self, bytes: &[u8], end: &[u8], begin: usize) {
        // The end may have begun in what was looked at before.
        let from = self
            .at
            .saturating_sub(end.len() - 1)
            .max(self.start + begin);
        let rest = bytes.get(from..).unwrap_or_default();
        match rest.windows(end.len()).position(|window| window == end) {
            Some(length) => {
                self.at = from + length + end.len();
                self.end_markup();
            }
            None => self.at = bytes.len(),
        }
    }

    fn end_element(&mut self) {
        self.shallowest = self.shallowest.min(self.depth);
        if self.ends.len() <= self.depth && self.depth <= crate::translate::MAX_DEPTH {
            self.ends.resize(self.depth + 1, 0);
        }
        if let Some(end) = self.ends.get_mut(self.depth) {
            *end = self.at;
        }
    }

    fn end_markup(&mut self) {
        self.cut = self.at;
        self.state = State::Text;
    }

    /// Follows a cut of so many bytes at the start of the text.
    pub(super) fn shift(&mut self, length: usize) {
        for place in [&mut self.at, &mut self.start, &mut self.cut] {
            *place = place.saturating_sub(length);
        }
        for end in &mut self.ends {
            *end = end.saturating_sub(length);
        }
    }
}

/// What a markup is, when enough of it is there.
fn kind_of(markup: &[u8]) -> Option<State> {
    const DATA: &[u8] = b"<![CDATA[";
    match markup {
        [_] => None,
        [_, b'/', ..] => Some(State::EndTag),
        [_, b'?', ..] => Some(State::Instruction),
        [_, b'!', ..] if markup.starts_with(b"<!--") => Some(State::Comment),
        [_, b'!', ..] if markup.starts_with(DATA) => Some(State::CharacterData),
        [_, b'!', ..] if b"<!--".starts_with(markup) || DATA.starts_with(markup) => None,
        [_, b'!', ..] => Some(State::DocumentType { brackets: 0 }),
        _ => Some(State::StartTag { quote: None }),
    }
}
