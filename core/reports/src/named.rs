//! The texts of names outside of the standard, in events and headers.

use super::text::text_of;
use epcis_edge_document::context::ActiveContext;
use epcis_edge_rules::{NameId, NamesAt, PackNames, require_known};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The namespaces, in all their spellings.
const NAMESPACES: &str = r#"{
    "cbvmda": ["urn:epcglobal:cbv:mda"],
    "gs1": ["https://gs1.org/voc", "https://www.gs1.org/voc", "https://ref.gs1.org/voc", "http://gs1.org/voc"],
    "gdst": ["https://traceability-dialogue.org/epcis"],
    "gs1ushc": ["http://epcis.gs1us.org/hc/ns"]
}"#;

/// The names that reports read.
const NAMES: &str = "
    cbvmda:lotNumber cbvmda:itemExpirationDate cbvmda:harvestDateStart cbvmda:harvestDateEnd cbvmda:vesselName cbvmda:vesselID
    cbvmda:vesselCatchInformationList cbvmda:vesselCatchInformation cbvmda:catchArea
    gs1:catchZone gs1:fishType gs1:harvestDateStart gs1:harvestDateEnd gdst:vesselName gdst:vesselID
    gs1ushc:transactionDate gs1ushc:dropShipment gs1ushc:directPurchase
    gs1ushc:dscsaTransactionStatement gs1ushc:affirmTransactionStatement gs1ushc:legalNotice gs1ushc:guidelineVersion
";

/// The names, and the prefixes of a document.
#[derive(Debug)]
pub(super) struct Namer<'d> {
    asked: PackNames,
    /// The local names.
    locals: BTreeMap<NameId, &'static str>,
    context: ActiveContext<'d>,
}

impl<'d> Namer<'d> {
    /// `within`: the objects whose contexts apply to everything that is read, the outermost first.
    ///
    /// # Errors
    /// None for the namespaces above.
    pub(super) fn new(within: &[Value<'d>]) -> Result<Self, Error> {
        let namespaces = Document::read_text(NAMESPACES)?;
        let mut asked = PackNames::read(Some(namespaces.root()))?;
        let mut locals = BTreeMap::new();
        for name in NAMES.split_whitespace() {
            let local = name.split_once(':').map(|(_, local)| local);
            locals.extend(asked.number(name, false).zip(local));
        }
        let mut context = ActiveContext::default();
        for object in within {
            context.enter(*object);
        }
        Ok(Self { asked, locals, context })
    }

    fn local(&self, written: &str) -> Option<&'static str> {
        let names = NamesAt { asked: &self.asked, context: &self.context };
        self.locals.get(&names.find(written)?).copied()
    }

    /// The texts of these names in an event, by local name. Those in its `ilmd` come first, and the first text of a name counts.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) for contexts whose prefixes stand for more than
    /// is held.
    pub(super) fn texts(
        &mut self,
        event: Value<'d>,
    ) -> Result<BTreeMap<&'static str, String>, Error> {
        let mut texts = BTreeMap::new();
        let outer = self.context.depth();
        self.context.enter(event);
        if let Some(ilmd) = event.get("ilmd") {
            let inner = self.context.depth();
            self.context.enter(ilmd);
            self.take(ilmd, &mut texts);
            self.context.leave(inner);
        }
        self.take(event, &mut texts);
        require_known(&self.context)?;
        self.context.leave(outer);
        Ok(texts)
    }

    fn take(&self, object: Value<'d>, texts: &mut BTreeMap<&'static str, String>) {
        for (name, value) in object.members() {
            if let Some(local) = self.local(&name.to_cow()) {
                let (local, text) = match local {
                    "vesselCatchInformationList" => ("catchArea", self.catch_areas(value)),
                    local => (local, said(value)),
                };
                if !text.is_empty() {
                    texts.entry(local).or_insert(text);
                }
            }
        }
    }

    /// The areas in a list of catches, each once.
    fn catch_areas(&self, catches: Value<'d>) -> String {
        let catches = self.member(catches, "vesselCatchInformation");
        let catches = catches.into_iter().flat_map(each);
        let areas = catches.filter_map(|one| self.member(one, "catchArea"));
        let areas: BTreeSet<String> = areas.flat_map(each).map(said).collect();
        areas.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// The member of an object with one of these names, by its local name.
    pub(super) fn member(&self, object: Value<'d>, local: &str) -> Option<Value<'d>> {
        let mut members = object.members();
        let found = members.find(|(name, _)| self.local(&name.to_cow()) == Some(local));
        found.map(|(_, value)| value)
    }
}

/// The elements of an array; any other value by itself.
fn each<'d>(value: Value<'d>) -> Vec<Value<'d>> {
    match value.kind() {
        Kind::Array => value.elements().collect(),
        _ => vec![value],
    }
}

/// The text of a value; of several, and of an object with attributes, all texts.
fn said(value: Value<'_>) -> String {
    let whole = text_of(Some(value));
    let rest: Vec<String> = match value.kind() {
        Kind::Array => value.elements().map(said).collect(),
        Kind::Object => {
            let members = value.members().filter_map(|(name, value)| {
                let name = name.to_cow();
                let name = name.rsplit([':', '/', '#', '@']).next()?;
                let is_whole = matches!(name, "text" | "value" | "type" | "context");
                (!is_whole).then(|| format!("{name} {}", text_of(Some(value))))
            });
            members.collect()
        }
        _ => Vec::new(),
    };
    let parts = std::iter::once(whole).chain(rest);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}
