//! Master data: one vocabulary element at a time (EPCIS 1.2, 9.4; EPCIS 2.0, 9.4).

use super::Mapper;
use super::event::{FoundParts, Holder};
use crate::field::ValueKind;
use crate::translate::tree::Element;
use crate::translate::write::Spot;

impl Mapper<'_> {
    /// Writes a vocabulary element as an object.
    pub(in crate::translate) fn vocabulary_element(&mut self, element: Element<'_>) {
        self.out.begin_object((element.index(), Spot::Element));
        self.attribute_as_member(element, "id", ValueKind::Plain);
        let mut found = FoundParts::default();
        self.extension_attributes(element, &["id"], &mut found.extensions);
        self.children(element, Holder::VOCABULARY_ELEMENT, false, &mut found);
        if let Some((_, first)) = found.later.first() {
            self.out.key("attributes");
            self.out.begin_array((first.index(), Spot::Element));
            for &(_, attribute) in &found.later {
                self.master_data_attribute(attribute);
            }
            self.out.end_array();
        }
        self.members(&found.extensions, element);
        self.out.end_object();
    }

    /// An attribute: its value is a string, never a number, or an object where it has elements inside.
    fn master_data_attribute(&mut self, element: Element<'_>) {
        self.out.begin_object((element.index(), Spot::Element));
        self.attribute_as_member(element, "id", ValueKind::Plain);
        self.check_attributes(element, &["id"]);
        self.out.key("attribute");
        if element.has_children() {
            self.object(element, &mut Vec::new());
        } else {
            let origin = (element.index(), Spot::Element);
            self.out.string(element.text(), origin);
        }
        self.out.end_object();
    }
}
