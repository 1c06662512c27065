//! Compares our verdict on XML with that of libxml2 and the official schemas, on every XML vector and on mutants: the same verdict,
//! and the first error at the same element. Translations report the same verdict, in one piece and as a stream.
//!
//! `EPCIS_EDGE_MUTANTS` sets the number of mutants: see `mutants::rounds`.

use epcis_edge_core::error::{ErrorKind, XmlFault};
use epcis_edge_core::translate::{TranslationStream, translate, validate_xml};
use epcis_edge_core::validate::{Validator, XmlVerdict};
use epcis_edge_schema::xml::SCHEMAS;
use epcis_edge_tests::mutants::rounds;
use epcis_edge_tests::random::Random;
use epcis_edge_tests::xml_mutants::Document;
use epcis_edge_tests::{
    entries, official_xml_schemas, outside_vectors, own_vectors, read, repository,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The verdict of libxml2 on a document.
#[derive(Clone, Debug, Default)]
struct Theirs {
    valid: bool,
    /// The line and the message of the first error.
    first: Option<(usize, String)>,
    is_xml: bool,
}

/// The program xmllint, and the folder of the schemas.
struct Referee {
    program: String,
    schemas: PathBuf,
    folder: PathBuf,
}

impl Referee {
    /// Finds the program, or installs it.
    fn find(name: &str) -> Self {
        let schemas = official_xml_schemas().unwrap();
        let found = Command::new(repository().join("scripts/xmllint.sh")).output().unwrap();
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let folder = std::env::temp_dir().join(format!("epcis-edge-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            program: String::from_utf8(found.stdout).unwrap().trim().to_owned(),
            schemas: schemas.canonicalize().unwrap(),
            folder,
        }
    }

    /// Validates many documents by one schema in one process.
    fn judge(&self, artefact: &str, documents: &[&[u8]]) -> Vec<Theirs> {
        let schema = SCHEMAS.iter().find(|schema| schema.artefact == artefact).unwrap();
        let folder = if schema.version == "2.0" { "v2" } else { "v1" };
        let names: Vec<String> =
            (0..documents.len()).map(|number| format!("{number}.xml")).collect();
        for (name, document) in names.iter().zip(documents) {
            std::fs::write(self.folder.join(name), document).unwrap();
        }
        let output = Command::new(&self.program)
            .args(["--noout", "--nonet", "--schema"])
            .arg(self.schemas.join(folder).join(artefact))
            .args(&names)
            .env("XML_CATALOG_FILES", self.schemas.join("catalog.xml"))
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let mut found = vec![Theirs { is_xml: true, ..Theirs::default() }; documents.len()];
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            let Some((number, rest)) = line.split_once(".xml") else {
                continue;
            };
            let Some(theirs) =
                number.parse::<usize>().ok().and_then(|number| found.get_mut(number))
            else {
                continue;
            };
            if rest == " validates" {
                theirs.valid = true;
            }
            let Some((at, sentence)) = rest.strip_prefix(':').and_then(|rest| rest.split_once(':'))
            else {
                continue;
            };
            if sentence.contains("parser error") || sentence.contains("namespace error") {
                theirs.is_xml = false;
            }
            if sentence.contains("Schemas validity error") && theirs.first.is_none() {
                theirs.first = Some((at.parse().unwrap(), sentence.to_owned()));
            }
        }
        found
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The line on which a start tag ends, given where it begins. libxml2 reports that line.
fn line_of(document: &[u8], line: usize, column: usize) -> usize {
    let start: usize =
        document.split_inclusive(|byte| *byte == b'\n').take(line - 1).map(<[u8]>::len).sum();
    let mut lines = line;
    let mut quote = None;
    for &byte in &document[(start + column - 1).min(document.len())..] {
        match (byte, quote) {
            (b'\n', _) => lines += 1,
            (b'>', None) => break,
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            _ => {}
        }
    }
    lines
}

/// The reason for a known difference between the two verdicts.
fn reason(ours: &XmlVerdict, theirs: &Theirs) -> Option<&'static str> {
    let sentence = theirs.first.as_ref().map_or("", |(_, sentence)| sentence.as_str());
    let message = ours.errors.first().map_or("", |error| error.message.as_str());
    let found = message.split('`').nth(1).unwrap_or_default();
    let quoted = sentence.split('\'').nth(3).unwrap_or_default();
    if sentence.contains("atomic type 'xs:")
        && quoted.bytes().filter(u8::is_ascii_digit).count() > 24
    {
        return Some("libxml2 has no room for more than 24 digits; XML Schema has no such limit");
    }
    if found.ends_with(['e', 'E', '+', '-']) && found.contains(['e', 'E']) {
        return Some(
            "libxml2 takes a number without the digits of its exponent; XML Schema does not",
        );
    }
    // If the value has a line end, the message may end within it.
    let value = sentence.split_once("': '").map_or("", |(_, value)| value);
    let value = value.split_once("' is not a valid").map_or(value, |(value, _)| value);
    if value.trim() != value || (!sentence.contains(" is not ") && sentence.contains("': '")) {
        return Some(
            "libxml2 leaves the blanks around dates, times and whole numbers; XML Schema trims them",
        );
    }
    None
}

/// Our verdict, or the reason why the document is not XML.
fn ours(document: &[u8]) -> Result<XmlVerdict, ErrorKind> {
    validate_xml(document).map_err(|error| error.kind().clone())
}

/// Whether a document can be translated. If so, asserts that the translation and the stream in these chunks report the same
/// verdict.
fn is_told_in_translations(name: &str, document: &[u8], chunk: usize) -> bool {
    let Ok(translation) = translate(document) else {
        return false;
    };
    let verdict = validate_xml(document).unwrap();
    assert_eq!(translation.source_verdict.as_ref(), Some(&verdict), "{name}");
    let validator = Validator::new().unwrap();
    let (mut stream, mut events) = (TranslationStream::new(), Vec::new());
    for part in document.chunks(chunk) {
        stream.push(part, &validator, &mut events).unwrap();
    }
    let end = stream.finish(&validator, &mut events).unwrap();
    assert_eq!(end.source_verdict, verdict, "{name} by {chunk}");
    true
}

/// Compares the verdicts on documents. Returns the unknown differences, and counts the known ones in `known`.
fn compare(
    referee: &Referee,
    documents: &[(String, Vec<u8>)],
    known: &mut BTreeMap<&'static str, usize>,
) -> (Vec<String>, usize) {
    let mut by_schema: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    let verdicts: Vec<_> = documents.iter().map(|(_, document)| ours(document)).collect();
    for (number, verdict) in verdicts.iter().enumerate() {
        let artefact =
            verdict.as_ref().map_or("EPCglobal-epcis-2_0.xsd", |verdict| verdict.schema.artefact);
        by_schema.entry(artefact).or_default().push(number);
    }
    let mut wrong = Vec::new();
    let mut invalid = 0;
    for (artefact, numbers) in by_schema {
        for numbers in numbers.chunks(500) {
            let texts: Vec<&[u8]> =
                numbers.iter().map(|number| documents[*number].1.as_slice()).collect();
            for (number, theirs) in numbers.iter().zip(referee.judge(artefact, &texts)) {
                let (name, document) = &documents[*number];
                let said = match &verdicts[*number] {
                    Err(_) if !theirs.is_xml => continue,
                    Err(ErrorKind::Xml(XmlFault::Doctype | XmlFault::Encoding(..))) => {
                        *known
                            .entry(
                                "refused by us before it is judged: a document type, an encoding",
                            )
                            .or_default() += 1;
                        continue;
                    }
                    Err(kind) => format!("refused: {kind}"),
                    Ok(_) if !theirs.is_xml => "is XML".to_owned(),
                    Ok(verdict) => {
                        invalid += usize::from(!verdict.valid);
                        let first = verdict.errors.first();
                        let at = first.map(|error| line_of(document, error.line, error.column));
                        let line = theirs.first.as_ref().map(|(line, _)| *line);
                        if verdict.valid == theirs.valid && at == line {
                            continue;
                        }
                        if let Some(reason) = reason(verdict, &theirs) {
                            *known.entry(reason).or_default() += 1;
                            continue;
                        }
                        format!("line {at:?}, {first:?}")
                    }
                };
                let text = String::from_utf8_lossy(document);
                let line = theirs.first.as_ref().map_or(0, |(line, _)| *line);
                let near: Vec<&str> = text.lines().skip(line.saturating_sub(3)).take(5).collect();
                wrong.push(format!(
                    "{name}, {artefact}\n  ours: {said}\n  theirs: {theirs:?}\n  near: {near:?}"
                ));
            }
        }
    }
    (wrong, invalid)
}

fn xml_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            xml_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
}

/// Every XML vector.
fn vectors() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    xml_files(&own_vectors("."), &mut files);
    if let Some(folder) = outside_vectors(".") {
        xml_files(&folder, &mut files);
    }
    files.into_iter().map(|path| (path.display().to_string(), read(&path))).collect()
}

fn tell(known: &BTreeMap<&'static str, usize>) {
    for (reason, count) in known {
        println!("{count}: {reason}");
    }
}

#[test]
#[cfg_attr(not(official_schemas), ignore = "needs ../shared/official/xsd")]
fn every_vector_has_the_verdict_of_libxml2() {
    let referee = Referee::find("vectors");
    let documents = vectors();
    let mut known = BTreeMap::new();
    let (wrong, invalid) = compare(&referee, &documents, &mut known);
    tell(&known);
    println!("{} documents, {invalid} invalid", documents.len());
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        documents.len() > 150 && invalid > 20,
        "{} documents, {invalid} invalid",
        documents.len()
    );
}

#[test]
#[cfg_attr(not(official_schemas), ignore = "needs ../shared/official/xsd")]
fn every_mutant_has_the_verdict_of_libxml2_and_its_first_error() {
    let referee = Referee::find("mutants");
    let wanted = rounds(2000);
    let corpus: Vec<(String, Document)> = vectors()
        .into_iter()
        .filter(|(_, bytes)| bytes.len() < 40_000)
        .filter_map(|(name, bytes)| {
            Some((name, Document::read(std::str::from_utf8(&bytes).ok()?)?))
        })
        .collect();
    let mut names = Vec::new();
    corpus.iter().for_each(|(_, document)| document.names(&mut names));
    names.sort();
    names.dedup();
    let own: Vec<(String, Document)> =
        corpus.iter().filter(|(name, _)| name.contains("vectors/./xml")).cloned().collect();
    let mut random = Random::new(16);
    let mut known = BTreeMap::new();
    let (mut wrong, mut invalid, mut made, mut translated) = (Vec::new(), 0, 0, 0);
    while made < wanted {
        let count = (wanted - made).min(2000);
        let mutants: Vec<(String, Vec<u8>)> = (0..count)
            .map(|number| {
                // Half of them from our own vectors, which are valid and use every element.
                let (name, document) =
                    if random.percent(50) { random.pick(&own) } else { random.pick(&corpus) };
                let mut document = document.clone();
                for _ in 0..=random.below(8) / 6 {
                    document.mutate(&names, &mut random);
                }
                (format!("{name} ({})", made + number), document.text().into_bytes())
            })
            .collect();
        for (number, (name, mutant)) in mutants.iter().enumerate() {
            translated += usize::from(is_told_in_translations(name, mutant, [61, 700][number % 2]));
        }
        let (more, bad) = compare(&referee, &mutants, &mut known);
        wrong.extend(more);
        invalid += bad;
        made += count;
    }
    tell(&known);
    println!(
        "{made} mutants, {invalid} invalid, {translated} translated as a whole and as a stream"
    );
    let shown: Vec<String> = wrong.iter().take(30).cloned().collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), shown.join("\n"));
    assert!(translated * 2 > made, "only {translated} of {made} mutants");
    assert!(invalid * 3 > made, "only {invalid} of {made} mutants are invalid");
}
