//! Custom rule packs that are expensive to evaluate, and documents to check with them.

use crate::template::{Template, written};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// A pack and a document that are expensive together.
pub struct Costly {
    /// What makes the pair expensive.
    pub name: &'static str,
    rules: &'static str,
    document: Template,
}

impl Costly {
    /// The pack, as JSON.
    #[must_use]
    pub fn pack(&self) -> Value {
        let own = self.rules.strip_prefix("named ");
        let (count, rule) = own.unwrap_or(self.rules).split_once(' ').unwrap();
        let mut pack = pack(count.parse().unwrap(), |number| {
            serde_json::from_str(&written(rule, RULES, number)).unwrap()
        });
        if own.is_some() {
            pack["namespaces"] = json!({
                "x": ["https://x.example", "https://x.example/old"], "mda": ["urn:epcglobal:cbv:mda"],
            });
        }
        pack
    }

    /// The document, of this many bytes or slightly more.
    #[must_use]
    pub fn document(&self, size: usize) -> String {
        self.document.body(size).0
    }
}

/// A pack with this number of rules. `rule` returns the members of a rule that are not common to all.
#[must_use]
pub fn pack(rules: usize, rule: impl Fn(usize) -> Value) -> Value {
    let rules = (0..rules).map(|number| {
        let mut whole = json!({"id": format!("r{number}"), "severity": "hint", "message": "m", "source": {"document": "d"}});
        if let (Value::Object(whole), Value::Object(more)) = (&mut whole, rule(number)) {
            whole.extend(more);
        }
        whole
    });
    json!({"version": 1, "name": "own", "rules": rules.collect::<Vec<_>>()})
}

const RULES: &[(&str, &str)] = &[
    ("{some}", r#"{"some":{"value":"epcList","endsWith":[{16:,""#),
    ("{ends}", r#":a:}{i:04}":}]}}"#),
];

/// What documents have in common. A piece may have those below it.
const DOCUMENTS: &[(&str, &str)] = &[
    ("{epcs}", r#"{event}"epcList":[«,{epc}»]}]"#),
    ("{of one}", r#"{event}"epcList":[«,"a"»]}]"#),
    ("{event}", r#"[{"type":"ObjectEvent","action":"ADD","#),
    ("{epc}", r#""urn:epc:id:sgtin:9521141.012345.{n}""#),
    ("{places}", r#"{elements}«2,{"id":"{place}","attributes":["#),
    (
        "{/places}",
        r#"]}»]}]}},{body}{"type":"ObjectEvent","action":"ADD","epcList":[«2,"{place}"»]}]}}"#,
    ),
    ("{place}", "urn:epc:id:sgln:9521141.{n%100000:05}.{n}"),
    (
        "{elements}",
        r#""epcisHeader":{"epcisMasterData":{"vocabularyList":[{"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":["#,
    ),
    ("{body}", r#""epcisBody":{"eventList":["#),
];

/// All expensive pairs.
pub static COSTLY: LazyLock<Vec<Costly>> = LazyLock::new(|| {
    let blocks = include_str!("packs.txt").split("\n\n").skip(1);
    let pair = |block: &'static str| {
        let mut lines = block.lines();
        let mut line = || lines.next().unwrap();
        let (name, rules) = (line(), line());
        Costly { name, rules, document: Template::new(line(), DOCUMENTS) }
    };
    blocks.map(pair).collect()
});
