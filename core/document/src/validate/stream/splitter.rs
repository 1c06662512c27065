//! Finds where the lists of events and their entries begin and end, without parsing them.
//!
//! A text that is not JSON may be split wrongly; then one of its parts cannot be read, and is refused.

use epcis_edge_text::json::{Nesting, plain_string};
use epcis_edge_text::slice::Part;

/// The two places where documents have lists of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// `epcisBody.eventList`
    Document,
    /// `epcisBody.queryResults.resultsBody.eventList`
    Query,
}

impl List {
    /// What is kept for this list, of what is kept for both.
    pub(crate) fn of<T>(self, [document, query]: &mut [T; 2]) -> &mut T {
        match self {
            Self::Document => document,
            Self::Query => query,
        }
    }

    /// The number of arrays and objects around its entries.
    pub(crate) fn levels(self) -> usize {
        match self {
            Self::Document => 3,
            Self::Query => 5,
        }
    }
}

/// The kind of the bytes that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Part of the frame.
    Frame,
    /// Part of the frame, up to the bracket that opens a list of events.
    ListBegins(List),
    /// White space and commas between entries.
    Between,
    /// Nothing: the list ends with the next byte.
    ListEnds,
    /// Part of an entry, and not its end.
    Part,
    /// A whole entry, or the rest of one.
    Event(List),
    /// Nothing: a fault between entries. The text says what was expected.
    Fault(List, &'static str),
}

/// The object on the way to a list, in which the next name decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ancestor {
    #[default]
    Root,
    Body,
    Results,
    ResultsBody,
}

impl Ancestor {
    fn depth(self) -> usize {
        self as usize + 1
    }

    fn outer(self) -> Self {
        match self {
            Self::Root | Self::Body => Self::Root,
            Self::Results => Self::Body,
            Self::ResultsBody => Self::Results,
        }
    }
}

/// Where a name leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    #[default]
    Nowhere,
    Ancestor(Ancestor),
    List(List),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ListState {
    /// A value or the end of the list may come.
    #[default]
    First,
    /// A value must come.
    Value,
    /// A comma or the end of the list must come.
    After,
    /// Inside of an object or array.
    Container(Nesting),
    /// Inside of a string.
    String { escaped: bool },
    /// Inside of a number or a word.
    Word,
}

/// Goes through a document byte by byte.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The byte offset of the open string in the frame, if it is a name in an object on the way to a list.
    name: Option<usize>,
    /// The last byte that is not white space.
    last: u8,
    is_object: bool,
    node: Ancestor,
    way: Way,
    list: Option<(List, ListState)>,
}

impl Splitter {
    /// The open list.
    pub(crate) fn open_list(&self) -> Option<List> {
        self.list.map(|(list, _)| list)
    }

    /// Returns the kind of the next bytes, and their number; `frame` is the frame so far.
    pub(crate) fn step(&mut self, bytes: &[u8], frame: &[u8]) -> (Taken, usize) {
        match self.list {
            Some((list, entry)) => {
                let (step, length, entry) = entry_step(list, entry, bytes);
                self.list = entry.map(|entry| (list, entry));
                (step, length)
            }
            None => self.frame_step(bytes, frame),
        }
    }

    fn frame_step(&mut self, bytes: &[u8], frame: &[u8]) -> (Taken, usize) {
        for (at, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => {
                        self.in_string = false;
                        self.last = byte;
                        if let Some(start) = self.name.take() {
                            self.way = self.way_of(start, frame, bytes.part(..at));
                        }
                    }
                    _ => {}
                }
                continue;
            }
            let is_on_way = self.is_object && self.depth == self.node.depth();
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => continue,
                b'"' => {
                    self.in_string = true;
                    let is_name = is_on_way && matches!(self.last, b'{' | b',');
                    self.name = is_name.then_some(frame.len() + at + 1);
                }
                b'{' | b'[' => {
                    if self.depth == 0 {
                        self.is_object = byte == b'{' && self.last == 0;
                    }
                    self.depth += 1;
                    let way = std::mem::take(&mut self.way);
                    if is_on_way && self.last == b':' {
                        match way {
                            Way::Ancestor(node) if byte == b'{' => self.node = node,
                            Way::List(list) if byte == b'[' => {
                                self.last = byte;
                                self.list = Some((list, ListState::First));
                                return (Taken::ListBegins(list), at + 1);
                            }
                            _ => {}
                        }
                    }
                }
                b'}' | b']' => {
                    if is_on_way {
                        self.node = self.node.outer();
                        if self.depth == 1 {
                            self.is_object = false;
                        }
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                // A byte order mark is not a value.
                0xef | 0xbb | 0xbf if self.depth == 0 => continue,
                _ => {}
            }
            self.last = byte;
        }
        (Taken::Frame, bytes.len())
    }

    /// Where a name leads that starts in the frame and goes on in these bytes.
    fn way_of(&self, start: usize, frame: &[u8], bytes: &[u8]) -> Way {
        // All of the name may be in the bytes.
        let mut name = frame.get(start..).unwrap_or(&[]).to_vec();
        let skipped = start.saturating_sub(frame.len());
        name.extend_from_slice(bytes.part(skipped..));
        let Ok(name) = std::str::from_utf8(&name) else {
            return Way::Nowhere;
        };
        match (self.node, plain_string(name).as_ref()) {
            (Ancestor::Root, "epcisBody") => Way::Ancestor(Ancestor::Body),
            (Ancestor::Body, "eventList") => Way::List(List::Document),
            (Ancestor::Body, "queryResults") => Way::Ancestor(Ancestor::Results),
            (Ancestor::Results, "resultsBody") => Way::Ancestor(Ancestor::ResultsBody),
            (Ancestor::ResultsBody, "eventList") => Way::List(List::Query),
            _ => Way::Nowhere,
        }
    }
}

/// Returns the kind of the next bytes of a list, their number, and the state after them; `None` at the end of the list.
fn entry_step(list: List, entry: ListState, bytes: &[u8]) -> (Taken, usize, Option<ListState>) {
    let part = |entry| (Taken::Part, bytes.len(), Some(entry));
    let event = |length| (Taken::Event(list), length, Some(ListState::After));
    match entry {
        ListState::First | ListState::Value | ListState::After => between(list, entry, bytes),
        ListState::Container(mut nesting) => match nesting.end(bytes) {
            Some(length) => event(length),
            None => part(ListState::Container(nesting)),
        },
        ListState::String { mut escaped } => {
            for (at, &byte) in bytes.iter().enumerate() {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => return event(at + 1),
                    _ => {}
                }
            }
            part(ListState::String { escaped })
        }
        ListState::Word => {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            match bytes.iter().position(|byte| !is_part(byte)) {
                Some(length) => event(length),
                None => part(ListState::Word),
            }
        }
    }
}

fn between(list: List, entry: ListState, bytes: &[u8]) -> (Taken, usize, Option<ListState>) {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let blank = bytes.iter().take_while(|byte| is_space(byte)).count();
    if blank > 0 {
        return (Taken::Between, blank, Some(entry));
    }
    let fault = |expected| (Taken::Fault(list, expected), 0, Some(entry));
    match (entry, bytes.first()) {
        (ListState::First | ListState::After, Some(b']')) => (Taken::ListEnds, 0, None),
        (ListState::After, Some(b',')) => (Taken::Between, 1, Some(ListState::Value)),
        (ListState::After, _) => fault("`,` or `]`"),
        (_, Some(b'{' | b'[')) => start(list, 0, ListState::Container(Nesting::default()), bytes),
        (_, Some(b'"')) => start(list, 1, ListState::String { escaped: false }, bytes),
        (_, Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n')) => {
            start(list, 0, ListState::Word, bytes)
        }
        _ => fault("a value"),
    }
}

/// Begins an entry whose first `known` bytes need no second look.
fn start(
    list: List,
    known: usize,
    entry: ListState,
    bytes: &[u8],
) -> (Taken, usize, Option<ListState>) {
    let rest = bytes.part(known..);
    let (step, length, entry) = entry_step(list, entry, rest);
    (step, known + length, entry)
}
