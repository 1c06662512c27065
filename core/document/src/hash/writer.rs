//! The algorithm: writes an event tree as its pre-hash string (CBV 2.0, 8.9).

use super::name::{Name, is_excluded};
use super::pieces::{Group, PieceBuffer};
use super::profile::Switches;
use super::tree::{HashTree, NodeId};
use super::value;
use crate::field::{Count, EVENT, Field, ValueKind};
use std::borrow::Cow;

/// Writes the pre-hash strings of events, one after the other.
#[derive(Debug)]
pub(super) struct PreHashWriter {
    switches: Switches,
    pub(super) pieces: PieceBuffer,
    /// Whether a standard field of the event has a member that is not standard.
    has_leftovers: bool,
    /// The event being written.
    event: NodeId,
}

impl PreHashWriter {
    /// A writer of strings with a limit, in bytes.
    pub(super) fn new(switches: Switches, limit: usize) -> Self {
        Self {
            switches,
            pieces: PieceBuffer::new(limit),
            has_leftovers: false,
            event: NodeId::EVENT,
        }
    }

    /// Writes an event of a tree. The string is then complete, and `pieces` can be finished.
    pub(super) fn event(&mut self, tree: &HashTree<'_>, event: NodeId) {
        self.has_leftovers = false;
        self.event = event;
        let event_type = named(tree, event, Name::TYPE).next();
        if let Some(event_type) = event_type.map(|at| tree.text_of(at))
            && !event_type.is_empty()
        {
            self.pieces.label(|| "eventType".into());
            self.pieces.push("eventType=");
            self.pieces.push(event_type);
        }
        self.members(tree, event, &EVENT);
        if self.switches.moves_extensions {
            self.ending_by_place(tree, event);
        } else {
            self.ending_by_string(tree, event);
        }
    }

    /// Writes the standard members of a node in canonical order. Returns whether the node has other members too.
    fn members(&mut self, tree: &HashTree<'_>, at: NodeId, fields: &'static [Field]) -> bool {
        let puts_parent_first = self.switches.puts_parent_first;
        let (mut present, mut count) = (0, 0);
        for (name, _) in tree.children(at) {
            present |= name.bit();
            count += 1;
        }
        let mut written = 0;
        let mut write = |field: &'static Field| {
            let name = Name::from(field.word);
            if present & name.bit() != 0 && self.has_place(field) {
                let nodes = named(tree, at, name);
                if at == self.event {
                    self.pieces.label(|| field.name.into());
                }
                written += self.sorted(nodes, |writer, node| writer.field(tree, node, field));
                present &= !name.bit();
            }
        };
        for field in fields {
            if puts_parent_first && Name::from(field.word) == Name::EPC_LIST {
                fields
                    .iter()
                    .filter(|field| Name::from(field.word) == Name::PARENT_ID)
                    .for_each(&mut write);
            }
            write(field);
        }
        written < count
    }

    /// Whether this profile gives the field a place in the canonical order.
    fn has_place(&self, field: &Field) -> bool {
        match Name::from(field.word) {
            Name::CERTIFICATION_INFO => self.switches.hashes_certification_info,
            _ if is_business_list(field) => !self.switches.sorts_business_lists,
            _ => field.is_hashed,
        }
    }

    /// Whether the name of a field is written before its content.
    fn has_name(&self, field: &Field) -> bool {
        match Name::from(field.word) {
            Name::SENSOR_ELEMENT_LIST => self.switches.writes_sensor_element_list,
            _ => !field.is_typed(),
        }
    }

    /// Writes a standard field, unless it is empty.
    fn field(&mut self, tree: &HashTree<'_>, at: NodeId, field: &'static Field) {
        let start = self.pieces.mark();
        if self.has_name(field) {
            self.pieces.push(field.name);
        }
        let content = self.pieces.mark();
        let text = tree.text_of(at);
        let has_others = if field.is_typed() {
            let has_others = self.members(tree, at, field.members());
            if !text.is_empty() {
                self.pieces.push(field.name);
                self.value(text, field.kind());
            }
            has_others
        } else {
            self.value(text, field.kind());
            self.members(tree, at, field.members())
        };
        if has_others {
            self.has_leftovers = true;
            if !self.switches.moves_extensions {
                let extensions =
                    tree.children(at).filter(|(name, _)| tree.names.is_extension(*name));
                self.extensions(tree, extensions);
            }
        }
        if self.pieces.is_at(content) {
            self.pieces.truncate(start);
        }
    }

    /// Writes `=` and the value, unless it is empty.
    fn value(&mut self, text: &str, kind: ValueKind) {
        if !text.is_empty() && !self.pieces.is_over() {
            let out = self.pieces.out();
            out.push(b'=');
            value::push(text, kind, &self.switches, out);
        }
    }

    /// Writes nodes, sorted by their strings. Returns their number.
    fn sorted(
        &mut self,
        mut nodes: impl Iterator<Item = NodeId>,
        mut write: impl FnMut(&mut Self, NodeId),
    ) -> usize {
        let Some(first) = nodes.next() else { return 0 };
        let Some(second) = nodes.next() else {
            write(self, first);
            self.pieces.flush_some();
            return 1;
        };
        let group = self.pieces.group();
        let mut count = 0;
        for node in [first, second].into_iter().chain(nodes) {
            write(self, node);
            self.pieces.end_piece(&group);
            count += 1;
            if self.pieces.is_over() {
                break;
            }
        }
        self.pieces.end_group(group);
        self.pieces.flush_some();
        count
    }

    fn extensions(&mut self, tree: &HashTree<'_>, nodes: impl Iterator<Item = (Name, NodeId)>) {
        let nodes = nodes.map(|(_, node)| node);
        self.sorted(nodes, |writer, node| writer.extension(tree, node));
    }

    /// Writes a node of any namespace with everything below it: name, value, sorted children.
    fn extension(&mut self, tree: &HashTree<'_>, at: NodeId) {
        if let Some(name) = tree.name_of(at) {
            tree.push_name(name, &mut self.pieces);
        }
        self.value(tree.text_of(at), ValueKind::Plain);
        self.extensions(tree, tree.children(at));
    }

    /// Labels the text that follows with the name of a node, as the string has it.
    fn label_of_name(&mut self, tree: &HashTree<'_>, at: NodeId) {
        self.pieces.label(|| {
            tree.name_of(at).map_or_else(Cow::default, |name| tree.full_name(name).into())
        });
    }

    /// Writes `ilmd`, unless it is empty.
    fn ilmd(&mut self, tree: &HashTree<'_>, at: NodeId) {
        let start = self.pieces.mark();
        self.extension(tree, at);
        if self.pieces.is_at(start + tree.standard_name(Name::ILMD).len()) {
            self.pieces.truncate(start);
        }
    }

    /// Writes the part after the standard fields: `ilmd`, then the non-standard members found inside standard fields, in the
    /// order of the fields, then all other members of the event.
    fn ending_by_place(&mut self, tree: &HashTree<'_>, event: NodeId) {
        let ilmd = named(tree, event, Name::ILMD);
        self.pieces.label(|| tree.standard_name(Name::ILMD).to_owned().into());
        self.sorted(ilmd, |writer, node| writer.ilmd(tree, node));
        if self.has_leftovers {
            for field in &EVENT {
                if self.has_place(field) {
                    let nodes = named(tree, event, Name::from(field.word));
                    self.pieces.label(|| field.name.into());
                    self.sorted(nodes, |writer, node| writer.leftovers(tree, node, field));
                }
            }
        }
        let others = tree
            .children(event)
            .filter(|(name, _)| *name != Name::ILMD && !is_excluded(*name))
            .filter(|(name, _)| standard(tree, *name, &EVENT).is_none());
        self.sorted(others.map(|(_, node)| node), |writer, node| {
            writer.label_of_name(tree, node);
            writer.extension(tree, node);
        });
    }

    /// Writes the non-standard members in a standard field, each after the field names that lead to it.
    fn leftovers(&mut self, tree: &HashTree<'_>, at: NodeId, field: &'static Field) {
        let start = self.pieces.mark();
        if self.has_name(field) {
            self.pieces.push(field.name);
        }
        let content = self.pieces.mark();
        for member in field.members() {
            let nodes = named(tree, at, Name::from(member.word));
            self.sorted(nodes, |writer, node| writer.leftovers(tree, node, member));
        }
        let others =
            tree.children(at).filter(|(name, _)| standard(tree, *name, field.members()).is_none());
        self.extensions(tree, others);
        if self.pieces.is_at(content) {
            self.pieces.truncate(start);
        }
    }

    /// Writes the part after the standard fields, with all pieces sorted as strings: `ilmd`, the event's own extensions,
    /// un-prefixed members that no field has, and the business lists if they have no place of their own.
    fn ending_by_string(&mut self, tree: &HashTree<'_>, event: NodeId) {
        let group = self.pieces.group();
        for (name, node) in tree.children(event) {
            self.label_of_name(tree, node);
            if name == Name::ILMD {
                self.ilmd(tree, node);
            } else if let Some(field) = standard(tree, name, &EVENT) {
                if !self.has_place(field) && is_business_list(field) {
                    self.field(tree, node, field);
                }
            } else if !is_excluded(name) {
                self.extension(tree, node);
            }
            self.pieces.end_piece(&group);
        }
        if self.has_leftovers {
            for (name, node) in tree.children(event) {
                if let Some(field) = standard(tree, name, &EVENT)
                    && (self.has_place(field) || is_business_list(field))
                {
                    self.pieces.label(|| field.name.into());
                    self.strays(tree, node, field, &mut Vec::new(), &group);
                }
            }
        }
        self.pieces.end_group(group);
    }

    /// Writes each un-prefixed member that is not standard in its field, as a piece: the field names that lead to it, then the
    /// member.
    fn strays(
        &mut self,
        tree: &HashTree<'_>,
        at: NodeId,
        field: &'static Field,
        path: &mut Vec<&'static str>,
        group: &Group,
    ) {
        let depth = path.len();
        path.extend(self.has_name(field).then_some(field.name));
        for (name, node) in tree.children(at) {
            if let Some(member) = standard(tree, name, field.members()) {
                self.strays(tree, node, member, path, group);
            } else if !tree.names.is_extension(name) {
                for step in path.iter() {
                    self.pieces.push(step);
                }
                self.extension(tree, node);
                self.pieces.end_piece(group);
            }
        }
        path.truncate(depth);
    }
}

/// Whether a field is a list of business transactions, sources or destinations. One profile writes these among the sorted pieces
/// at the end.
fn is_business_list(field: &Field) -> bool {
    matches!(field.count, Count::List(item) if item.is_typed())
}

/// The children of a node with this name.
fn named(tree: &HashTree<'_>, at: NodeId, wanted: Name) -> impl Iterator<Item = NodeId> {
    tree.children(at).filter_map(move |(name, node)| (name == wanted).then_some(node))
}

/// The field with this name, if it is among `fields` and hashed.
pub(super) fn standard(
    tree: &HashTree<'_>,
    name: Name,
    fields: &'static [Field],
) -> Option<&'static Field> {
    if tree.names.is_extension(name) {
        return None;
    }
    let mut fields = fields.iter().filter(|field| field.is_hashed);
    fields.find(|field| Name::from(field.word) == name)
}
