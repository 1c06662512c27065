//! Going through a document for some of its pieces, without translating it.

use super::containers::{Child, OpenContainer};
use super::{Job, Root};
use crate::error::Error;
use crate::translate::kinds::Container;
use crate::translate::namespace::Name;
use crate::translate::reader::{Fault, Token, XmlReader};
use crate::translate::xml_tree::Piece;

/// Which pieces are handed out.
#[derive(Clone, Copy)]
pub(in crate::translate) enum WantedPieces {
    /// What is translated as an event.
    Events,
    /// Elements of this namespace and local name, outside of lists of events.
    Named(&'static str, &'static str),
}

/// Hands out pieces of a document, each as a tree that is gone when the next one comes.
pub(in crate::translate) fn for_each<'x>(
    text: &'x str,
    wanted: WantedPieces,
    visit: &mut dyn FnMut(Piece<'_, 'x>),
) -> Result<(), Error> {
    let mut job = Job::new(text);
    let visited = job.visit(wanted, visit);
    visited.map_err(|fault| job.error(fault))
}

impl<'x> Job<'x> {
    fn visit(
        &mut self,
        wanted: WantedPieces,
        visit: &mut dyn FnMut(Piece<'_, 'x>),
    ) -> Result<(), Fault> {
        let mut reader = XmlReader::new(self.text)?;
        let Some((name, offset)) = self.document_element(&mut reader)? else {
            return Ok(());
        };
        if let Root::Event(_) = self.held.root {
            if let WantedPieces::Events = wanted {
                self.read(&mut reader, name, offset)?;
                self.hand_out(true, visit);
            }
        } else {
            self.held
                .open
                .push(OpenContainer::new(Container::Root, 0, 0, 0));
        }
        while !self.held.open.is_empty() {
            match reader.next(&mut self.held.namespaces)? {
                Token::Start { name, offset } => {
                    self.visit_child(&mut reader, (name, offset), wanted, visit)?;
                }
                Token::End => {
                    if let Some(open) = self.held.open.pop() {
                        self.held.path.truncate(open.outer_path);
                    }
                }
                Token::Text(_) => {}
                Token::Eof => break,
            }
        }
        while !matches!(reader.next(&mut self.held.namespaces)?, Token::Eof) {}
        Ok(())
    }

    fn visit_child(
        &mut self,
        reader: &mut XmlReader<'x>,
        (name, offset): (Name<'x>, usize),
        wanted: WantedPieces,
        visit: &mut dyn FnMut(Piece<'_, 'x>),
    ) -> Result<(), Fault> {
        let Some(open) = self.held.open.last_mut() else {
            return Ok(());
        };
        let container = open.container;
        let position = open.count(name);
        let outer_path = self.held.path.len();
        name.push_step(position, &mut self.held.path);
        let is_wanted = match (self.classify(container, name), wanted) {
            (Child::Container(inner), _) => {
                self.held.entered |= 1 << inner as u32;
                self.held
                    .open
                    .push(OpenContainer::new(inner, outer_path, 0, 0));
                return Ok(());
            }
            (child, WantedPieces::Events) => matches!(child, Child::Event(_)),
            (_, WantedPieces::Named(namespace, local)) => {
                name.local == local
                    && self.held.namespaces.name(name.namespace) == namespace
                    && !matches!(
                        container,
                        Container::EventList | Container::EventListExtension
                    )
            }
        };
        if is_wanted {
            self.read(reader, name, offset)?;
            self.hand_out(false, visit);
        } else {
            let mut depth = 1_usize;
            while depth > 0 {
                match reader.next(&mut self.held.namespaces)? {
                    Token::Start { .. } => depth += 1,
                    Token::End => depth -= 1,
                    Token::Text(_) => {}
                    Token::Eof => break,
                }
            }
        }
        self.tree.clear();
        self.held.path.truncate(outer_path);
        Ok(())
    }

    fn hand_out(&self, is_document: bool, visit: &mut dyn FnMut(Piece<'_, 'x>)) {
        visit(Piece {
            element: self.tree.root(),
            namespaces: &self.held.namespaces,
            is_document,
        });
    }
}
