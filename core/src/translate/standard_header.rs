//! The Standard Business Document Header in JSON: the member that keeps it whole, and those that take its values.

use super::namespace::{Namespace, Namespaces};
use super::reader::{Fault, Pass, Reader, Token};

/// The member of a document that keeps the whole Standard Business Document Header, as XML text.
///
/// Its name is a full IRI, so it needs no entry in `@context`: the namespace of the header and the name of its element.
pub const SBDH_MEMBER: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader#StandardBusinessDocumentHeader";

/// The members of a document that take values of the header.
pub(super) const HEADER_MEMBERS: [&str; 3] = ["sender", "receiver", "instanceIdentifier"];

/// Whether a text is one well-formed Standard Business Document Header, so that it can be written as it is.
pub(super) fn is_header(text: &str) -> bool {
    if text.contains("<?") || text.contains("<!") {
        return false;
    }
    let mut namespaces = Namespaces::new();
    let mut pass = Pass::new(Reader::default(), text, true);
    let mut read = || {
        pass.look()?;
        let Token::Start = pass.next(&mut namespaces)? else {
            return Ok(false);
        };
        let name = pass.tag().name;
        let is_header =
            name.namespace == Namespace::SBDH && name.local == "StandardBusinessDocumentHeader";
        while !matches!(pass.next(&mut namespaces)?, Token::Eof) {}
        Ok::<bool, Fault>(is_header)
    };
    matches!(read(), Ok(true))
}
