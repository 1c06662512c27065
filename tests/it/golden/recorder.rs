//! Compares the values of a group with the record, prints them, or renews the record.

use data_encoding::HEXLOWER;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{entries, read_text, repository};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The most differences that a failing test lists.
const MAX_LISTED: usize = 40;

/// The bytes of a digest that are recorded: enough to see every change, for nobody would forge one.
const DIGEST: usize = 6;

/// The values of one group of cases.
pub(super) struct Recorder {
    group: &'static str,
    facets: &'static [&'static str],
    /// The text in the names of the cases to print, if any.
    wanted: Option<String>,
    /// The digests of each case.
    digests: BTreeMap<String, Vec<String>>,
    /// The values to print.
    printed: String,
    /// A case whose values could not be computed.
    panicked: Option<String>,
}

impl Recorder {
    /// Starts a group. Each case has one value for each of these facets.
    pub(super) fn new(group: &'static str, facets: &'static [&'static str]) -> Self {
        Self {
            group,
            facets,
            wanted: std::env::var("EPCIS_EDGE_GOLDEN").ok(),
            digests: BTreeMap::new(),
            printed: String::new(),
            panicked: None,
        }
    }

    /// The number of cases so far.
    pub(super) fn count(&self) -> usize {
        self.digests.len()
    }

    /// Records a case. An empty value is a facet that does not apply. The values are not computed if only other cases are wanted.
    pub(super) fn case(&mut self, name: &str, values: impl FnOnce() -> Vec<String>) {
        assert!(!name.contains(['\t', '\n']), "{name:?}");
        let is_wanted = self.wanted.as_ref().map(|text| name.contains(text));
        let digests = if is_wanted == Some(false) {
            Vec::new()
        } else {
            // A panic is a difference like any other, and its case has a name.
            let values = catch_unwind(AssertUnwindSafe(values)).unwrap_or_else(|_| {
                self.panicked = Some(name.to_owned());
                vec!["panic".to_owned(); self.facets.len()]
            });
            assert_eq!(values.len(), self.facets.len(), "{name}");
            if is_wanted == Some(true) {
                for (facet, value) in self.facets.iter().zip(&values) {
                    let _ = writeln!(self.printed, "== {name} == {facet}\n{value}");
                }
            }
            values.iter().map(|value| digest(value)).collect()
        };
        let known = self.digests.insert(name.to_owned(), digests);
        assert!(known.is_none(), "two cases are called {name}");
    }

    /// Ends the group.
    pub(super) fn finish(self) {
        if self.wanted.is_some() {
            return self.print();
        }
        let path = repository().join("tests/golden").join(format!("{}.tsv", self.group));
        let mut text = format!("case\t{}\n", self.facets.join("\t"));
        for (name, digests) in &self.digests {
            let _ = writeln!(text, "{name}\t{}", digests.join("\t"));
        }
        if is_on("EPCIS_EDGE_BLESS") {
            assert_eq!(self.panicked, None, "a panic is not recorded");
            std::fs::write(&path, &text).unwrap();
            return;
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        if recorded != text {
            panic!("{}", self.differences(&recorded));
        }
    }

    fn print(self) {
        let wanted = self.wanted.as_deref().unwrap_or_default();
        // Each group is a test of its own, and only the record knows the cases of all of them. scripts/golden.sh looks for the name in
        // the files that it has written: an earlier commit need not know it.
        assert!(
            !self.printed.is_empty()
                || std::env::var_os("EPCIS_EDGE_GOLDEN_FILE").is_some()
                || recorded_cases().iter().any(|name| name.contains(wanted)),
            "no case has `{wanted}` in its name: take one from tests/golden/*.tsv"
        );
        match std::env::var_os("EPCIS_EDGE_GOLDEN_FILE").map(PathBuf::from) {
            None => {
                // Not `print!`, whose text is kept back when a test succeeds.
                let mut out = std::io::stdout().lock();
                out.write_all(self.printed.as_bytes()).unwrap();
            }
            Some(path) => {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
                file.unwrap().write_all(self.printed.as_bytes()).unwrap();
            }
        }
    }

    /// What is wrong with a record, and the commands that tell more.
    fn differences(&self, recorded: &str) -> String {
        let mut lines = recorded.lines().map(|line| line.split('\t'));
        let facets: Vec<&str> = lines.next().into_iter().flatten().skip(1).collect();
        let recorded: BTreeMap<&str, Vec<&str>> =
            lines.map(|mut line| (line.next().unwrap_or_default(), line.collect())).collect();
        let names: BTreeSet<&str> =
            recorded.keys().copied().chain(self.digests.keys().map(String::as_str)).collect();
        let mut wrong: Vec<(&str, String)> = Vec::new();
        for name in names {
            match (self.digests.get(name), recorded.get(name)) {
                (Some(_), None) => wrong.push((name, "is not in the record".to_owned())),
                (None, _) => wrong.push((name, "is in the record alone".to_owned())),
                (Some(now), Some(before)) => {
                    let differs = self.facets.iter().zip(now).filter(|(facet, digest)| {
                        let at = facets.iter().position(|known| known == *facet);
                        at.and_then(|at| before.get(at)) != Some(&digest.as_str())
                    });
                    let differs: Vec<&str> = differs.map(|(facet, _)| *facet).collect();
                    if !differs.is_empty() {
                        wrong.push((name, differs.join(", ")));
                    }
                }
            }
        }
        let group = self.group;
        let Some((first, _)) = wrong.first() else {
            return format!("tests/golden/{group}.tsv is not written as this test writes it");
        };
        let mut text = format!(
            "{} of {} cases differ from tests/golden/{group}.tsv:\n",
            wrong.len(),
            self.digests.len()
        );
        for (name, what) in wrong.iter().take(MAX_LISTED) {
            let _ = writeln!(text, "  {name}: {what}");
        }
        if wrong.len() > MAX_LISTED {
            let _ = writeln!(text, "  and {} more", wrong.len() - MAX_LISTED);
        }
        let _ = write!(
            text,
            "both sides of one: scripts/golden.sh '{first}'\n\
             if the change is meant: EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it golden::"
        );
        text
    }
}

/// The names of the cases in the record, of all groups.
fn recorded_cases() -> Vec<String> {
    let files = entries(&repository().join("tests/golden"));
    let lines = files.iter().flat_map(|file| {
        let text = read_text(file);
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    });
    lines.filter_map(|line| line.split('\t').next().map(str::to_owned)).collect()
}

fn digest(value: &str) -> String {
    if value.is_empty() {
        return "-".to_owned();
    }
    HEXLOWER.encode(&Sha256::digest(value)[..DIGEST])
}
