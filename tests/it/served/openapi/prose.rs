//! Reads the prose of the description: Markdown with a section for each operation, and lists of named things.

use std::cell::Cell;
use std::collections::BTreeMap;

/// The sections, by their titles.
pub(super) struct Prose(BTreeMap<String, Section>);

/// The text below a title.
pub(super) struct Section {
    title: String,
    /// The first paragraph.
    pub(super) summary: String,
    /// The other paragraphs, a line each.
    pub(super) description: String,
    /// The entries of its list, in order: a name, its text, and whether the text was asked for. A line may have several names.
    entries: Vec<(String, String, Cell<bool>)>,
    is_used: Cell<bool>,
}

impl Prose {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut sections = BTreeMap::new();
        let mut text = text.split("\n#").map(|section| section.trim_start_matches(['#', ' ']));
        for section in &mut text {
            let section = Section::read(section);
            // A section of the other titles that has nothing of its own.
            if section.summary.is_empty() && section.entries.is_empty() {
                continue;
            }
            let title = section.title.clone();
            if sections.insert(title.clone(), section).is_some() {
                return Err(format!("openapi.md has `{title}` twice"));
            }
        }
        Ok(Self(sections))
    }

    pub(super) fn section(&self, title: &str) -> Result<&Section, String> {
        let found = self.0.get(title).ok_or_else(|| format!("openapi.md lacks `{title}`"))?;
        found.is_used.set(true);
        Ok(found)
    }

    /// The entries of a section.
    pub(super) fn list(&self, title: &str) -> Result<impl Iterator<Item = (&str, &str)>, String> {
        let entries = self.section(title)?.entries.iter();
        Ok(entries.map(|(name, text, is_used)| {
            is_used.set(true);
            (name.as_str(), text.as_str())
        }))
    }

    /// Requires that the description has every sentence.
    pub(super) fn require_used(&self) -> Result<(), String> {
        for Section { title, entries, is_used, .. } in self.0.values() {
            if !is_used.get() {
                return Err(format!("openapi.md has `{title}`, which is nothing"));
            }
            if let Some((name, ..)) = entries.iter().find(|(.., is_used)| !is_used.get()) {
                return Err(format!("openapi.md has `{name}` in `{title}`, which is nothing"));
            }
        }
        Ok(())
    }
}

impl Section {
    fn read(text: &str) -> Self {
        let (title, text) = text.split_once('\n').unwrap_or((text, ""));
        let (mut paragraphs, mut entries) = (Vec::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("- ").and_then(|entry| entry.split_once(": ")) {
                Some((names, text)) => {
                    let names = names.split(", ").map(|name| name.replace('`', ""));
                    entries.extend(names.map(|name| (name, text.to_owned(), Cell::new(false))));
                }
                None => paragraphs.push(line),
            }
        }
        let (summary, others) = paragraphs.split_first().unwrap_or((&"", &[]));
        Self {
            title: title.to_owned(),
            summary: (*summary).to_owned(),
            description: others.join("\n"),
            entries,
            is_used: Cell::new(false),
        }
    }

    /// The text of an entry.
    pub(super) fn entry(&self, name: &str) -> Result<&str, String> {
        let found = self.entries.iter().find(|(known, ..)| known == name);
        let (_, text, is_used) =
            found.ok_or_else(|| format!("openapi.md lacks `{name}` in `{}`", self.title))?;
        is_used.set(true);
        Ok(text)
    }
}
