//! The Standard Business Document Header: three of its values have a home, the whole is kept beside them.

use super::Job;
use crate::translate::characters::collapse;
use crate::translate::namespace::{Name, Namespace};
use crate::translate::print::{Scope, excerpt, print};
use crate::translate::reader::{Fault, Reader};
use crate::translate::report;
use crate::translate::tree::Element;
use crate::translate::write::push_string;

/// The members of a document that take values of the header.
pub(super) const MEMBERS: [&str; 3] = ["sender", "receiver", "instanceIdentifier"];

impl<'x> Job<'x> {
    pub(super) fn standard_header(
        &mut self,
        reader: &mut Reader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        self.read_whole(reader, name, offset)?;
        let base = self.path.clone();
        let mut lost = Vec::new();
        let mut taken: [Option<String>; 3] = [None, None, None];
        self.keep_header();
        for child in self.tree().root().children() {
            let number = MEMBERS.iter().position(|member| {
                let home = match *member {
                    "sender" => "Sender",
                    "receiver" => "Receiver",
                    _ => "DocumentIdentification",
                };
                child.local() == home && child.namespace() == Namespace::SBDH
            });
            let slot = number.and_then(|number| taken.get_mut(number));
            let Some(slot) = slot.filter(|slot| slot.is_none()) else {
                lost.push((child, None));
                continue;
            };
            let wanted = if number == Some(2) {
                "InstanceIdentifier"
            } else {
                "Identifier"
            };
            for part in child.children() {
                if part.local() == wanted && slot.is_none() {
                    let mut text = String::new();
                    push_string(&mut text, &collapse(part.text()));
                    *slot = Some(text);
                    lost.extend((0..part.attributes().len()).map(|n| (part, Some(n))));
                    lost.extend(part.children().map(|inner| (inner, None)));
                } else {
                    lost.push((part, None));
                }
            }
        }
        let positions = self.tree().positions();
        let notes: Vec<(String, String)> = lost
            .into_iter()
            .map(|(element, attribute)| self.header_note(&base, &positions, element, attribute))
            .collect();
        for (path, value) in notes {
            self.note(path, report::SBDH_NO_HOME, Some(value), None);
        }
        for (slot, value) in self.standard_header.iter_mut().zip(taken) {
            if slot.is_none() {
                *slot = value;
            }
        }
        Ok(())
    }

    fn header_note(
        &self,
        base: &str,
        positions: &[u32],
        element: Element<'_, '_>,
        attribute: Option<usize>,
    ) -> (String, String) {
        let mut path = base.to_owned();
        element.push_path_by(positions, &mut path);
        let value = match attribute.and_then(|number| element.attributes().get(number)) {
            Some(attribute) => {
                path.push_str("/@");
                attribute.name.push_to(&mut path);
                attribute.value.to_string()
            }
            None if element.has_children() => excerpt(element, &self.namespaces),
            None => element.text().to_owned(),
        };
        (path, value)
    }

    /// The header of a query document: the schema has no home for it at all.
    pub(super) fn query_header(
        &mut self,
        reader: &mut Reader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<(), Fault> {
        self.read_whole(reader, name, offset)?;
        let value = excerpt(self.tree().root(), &self.namespaces);
        self.note(self.path.clone(), report::QUERY_HEADER, Some(value), None);
        let sbdh = self
            .tree()
            .root()
            .children()
            .find(|child| child.namespace() == Namespace::SBDH);
        self.sbdh = sbdh.map(|sbdh| self.printed(sbdh));
        Ok(())
    }

    fn printed(&self, element: Element<'_, '_>) -> String {
        let mut text = String::new();
        print(element, &self.namespaces, &mut Scope::default(), &mut text);
        text
    }

    /// Keeps the header as XML text: its attributes, its repeated parts and its order have no other form.
    fn keep_header(&mut self) {
        if self.sbdh.is_none() {
            self.sbdh = Some(self.printed(self.tree().root()));
        }
    }
}

/// Whether a text is one well-formed Standard Business Document Header, so that it can be written as it is.
pub(in crate::translate) fn is_header(text: &str) -> bool {
    use crate::translate::namespace::Namespaces;
    use crate::translate::reader::Token;
    if text.contains("<?") || text.contains("<!") {
        return false;
    }
    let mut namespaces = Namespaces::new();
    let Ok(mut reader) = Reader::new(text) else {
        return false;
    };
    let Ok(Token::Start { name, .. }) = reader.next(&mut namespaces) else {
        return false;
    };
    if name.namespace != Namespace::SBDH || name.local != "StandardBusinessDocumentHeader" {
        return false;
    }
    loop {
        match reader.next(&mut namespaces) {
            Ok(Token::Eof) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}
