//! The limits of reading XML.

/// The deepest accepted nesting of elements.
pub const MAX_DEPTH: usize = 100;

/// The most attributes of a tag, namespace declarations included.
pub const MAX_ATTRIBUTES: usize = 256;

/// The most namespace declarations in force at one place.
pub const MAX_NAMESPACES: usize = 256;

/// The most elements and attributes, taken together, in an event or anything else that is translated in one piece, so that
/// a document of 10 MiB can be translated in the memory of a Worker.
pub const MAX_ELEMENTS: usize = 400_000;

/// The most different namespaces that a document may declare; their names may have 2 MiB in total.
pub const MAX_DOCUMENT_NAMESPACES: usize = 1 << 14;

/// The longest accepted name or namespace name, in bytes.
pub const MAX_NAME_LENGTH: usize = 1024;

/// The longest accepted document, in bytes: 256 MiB less one, as for JSON.
pub const MAX_LENGTH: usize = epcis_edge_text::json::MAX_LENGTH;

/// The longest event, vocabulary element or user extension that a stream accepts, in bytes of UTF-8: 16 MiB.
pub const MAX_EVENT_LENGTH: usize = 16 << 20;

/// The most memory for the content of a streamed document outside of its events, in bytes: 32 MiB. All of it is kept until the end.
pub const MAX_FRAME_LENGTH: usize = 32 << 20;

/// The most text outside of events that JSON writes in other bytes, in bytes: 4 MiB. Such text has references, line ends,
/// quotes, backslashes or tabs. All of it is copied and measured as a whole, in memory beside a document of 10 MiB.
pub const MAX_FRAME_TEXT: usize = 4 << 20;
