//! The master data in the header of a document.

use super::fuel::{self, Fuel};
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::vocabulary::element_type;
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::OrEmpty;

/// Whether a vocabulary has the requested type. Some documents write the types of the standard in lower case.
pub(super) fn is_vocabulary(asked: &str, kind: &str) -> bool {
    element_type(kind).eq_ignore_ascii_case(asked)
}

/// Calls `element` for each element of master data in the header of a document, with the type of its vocabulary in full. Ends early
/// without fuel.
pub(super) fn for_each_element<'d>(
    root: Value<'d>,
    (context, fuel): (&mut ActiveContext<'d>, &Fuel),
    mut element: impl FnMut(&str, Value<'d>, &ActiveContext<'d>),
) {
    let Some(header) = root.get("epcisHeader") else { return };
    let Some(stated) = header.get("epcisMasterData") else { return };
    let around = context.enter(header);
    context.enter(stated);
    let vocabularies = stated.get("vocabularyList");
    for vocabulary in vocabularies.into_iter().flat_map(Value::elements) {
        let kind = vocabulary.get("type");
        let length = kind.and_then(Value::as_text).map_or(0, |kind| kind.written_length());
        if !fuel.take_with(|| fuel::identifier(length) + fuel::declaring(vocabulary)) {
            break;
        }
        let outer = context.enter(vocabulary);
        let kind = kind.and_then(Value::as_str);
        let kind = context.expand(&kind.or_empty()).into_owned();
        let list = vocabulary.get("vocabularyElementList");
        for one in list.into_iter().flat_map(Value::elements) {
            if !fuel.take_with(|| fuel::passing_object(one)) {
                break;
            }
            let inner = context.enter(one);
            element(&kind, one, context);
            context.leave(inner);
        }
        context.leave(outer);
    }
    context.leave(around);
}
