//! How much is read.

/// The deepest nesting of elements that is read.
pub const MAX_DEPTH: usize = 100;

/// The most attributes, namespace declarations included, that a tag may have.
pub const MAX_ATTRIBUTES: usize = 256;

/// The most namespace declarations that may be in force at one place.
pub const MAX_NAMESPACES: usize = 256;

/// The most elements and attributes, taken together, that an event, or anything else that is translated in one piece, may
/// have: a document of 10 MiB is to be translated in the memory of a Worker.
pub const MAX_ELEMENTS: usize = 400_000;

/// The most different namespaces that a document may declare; their names may have 2 MiB, taken together.
pub const MAX_DOCUMENT_NAMESPACES: usize = 1 << 14;

/// The longest name and the longest namespace name that is read, in bytes.
pub const MAX_NAME_LENGTH: usize = 1024;

/// The longest document that is read, in bytes: 256 MiB less one, as for JSON.
pub const MAX_LENGTH: usize = crate::json::MAX_LENGTH;

/// The longest event, vocabulary element or user extension that a stream takes, in bytes of UTF-8: 16 MiB.
pub const MAX_EVENT_LENGTH: usize = 16 << 20;

/// How much a document may hold beside its events, in bytes: 32 MiB. All of it is kept until the end.
pub const MAX_FRAME_LENGTH: usize = 32 << 20;

/// How many bytes of text a document may hold beside its events that JSON writes in others, with references, line ends, quotes,
/// backslashes or tabs: 4 MiB. All of it is copied, and measured as a whole, where a document of 10 MiB must fit beside it.
pub const MAX_FRAME_TEXT: usize = 4 << 20;
