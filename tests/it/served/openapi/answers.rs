//! The schemas of what the package for JavaScript answers, of which its types are made.

use super::Object;
use epcis_edge_core::check::{CheckReport, PACKS, PROFILES};
use epcis_edge_core::error::Problem;
use epcis_edge_core::follow::Followed;
use epcis_edge_core::hash::{Profile, ShownPreHash, Verification};
use epcis_edge_core::identifier::DescribedKey;
use epcis_edge_core::log;
use epcis_edge_core::repair::Repair;
use epcis_edge_core::report::{ExceptionReport, Report};
use epcis_edge_core::service::{InvalidTranslation, TranslationFacts};
use epcis_edge_core::translate::XmlTranslation;
use epcis_edge_core::validate::{Verdict, XmlVerdict};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schemas by the names of their types in TypeScript, in the order of these names.
#[must_use]
pub fn answers() -> Object {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let of = &mut generator;
    macro_rules! all {
        ($($kind:ty),*) => { $(of.subschema_for::<$kind>();)* };
    }
    all!(
        Verdict,
        XmlVerdict,
        Problem,
        InvalidTranslation,
        TranslationFacts<'static>,
        Profile,
        ShownPreHash<'static>,
        Verification,
        XmlTranslation
    );
    all!(DescribedKey, Repair, CheckReport, Followed<'static>, Report, ExceptionReport<'static>);
    let mut made = of.take_definitions(true);
    for schema in made.values_mut() {
        absent(schema);
    }
    all!(
        log::AuditResult,
        log::Verdict,
        log::ProofsVerdict,
        log::DisclosureVerdict,
        log::DisclosableField
    );
    made.extend(of.take_definitions(true));
    let usual: Vec<&str> = PACKS.iter().map(|(name, _)| *name).collect();
    let industries: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
    for (name, about, packs) in [
        (
            "PackName",
            "A pack of checks. The first three run by default, the others are those of industries and trading partners.",
            [&usual[..], &industries[..]].concat(),
        ),
        ("UsualPack", "A pack of checks that runs by default.", usual),
        ("IndustryPack", "A pack of checks of an industry or a trading partner.", industries),
    ] {
        made.insert(name.to_owned(), json!({"description": about, "enum": packs}));
    }
    // The package hands on any event, and the verdict of a second engine.
    for (kind, name) in
        [("SchemaPin", "sha256"), ("SchemaPin", "engine"), ("XmlSchemaPin", "artefact")]
    {
        if let Some(member) = made[kind]["properties"][name].as_object_mut() {
            for narrow in ["$ref", "const", "enum"] {
                member.remove(narrow);
            }
        }
    }
    problem(&mut made);
    steps(&mut made);
    made.sort_keys();
    made
}

/// Says of the members that may be `null` that they may be absent: only the log writes `null`.
fn absent(schema: &mut Value) {
    let is_null = |kind: &Value| *kind == "null" || kind["type"] == "null";
    let may_be_null = |member: &Value| {
        [&member["type"], &member["anyOf"]]
            .into_iter()
            .filter_map(Value::as_array)
            .flatten()
            .any(is_null)
    };
    let members = schema["properties"].clone();
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|name| !name.as_str().is_some_and(|name| may_be_null(&members[name])));
    }
}

/// A problem may be that of any server, or have the members of a failed translation.
fn problem(made: &mut Object) {
    let failed = made["InvalidTranslation"].take();
    for unused in ["DocumentError", "ExceptionType", "InvalidTranslation"] {
        made.remove(unused);
    }
    let Some(members) = made["Problem"]["properties"].as_object_mut() else { return };
    members.shift_remove("instance");
    members["type"] = json!({"type": "string", "template": "epcisException:${string}"});
    members["status"] = json!({"description": "The HTTP status with which the gateway answers.", "type": "integer"});
    for name in ["errors", "fidelityReport", "sourceVerdict"] {
        members.insert(name.to_owned(), failed["properties"][name].clone());
    }
}

/// The steps of the three verdicts of the log have other names each; a disclosure has those of its proof among its own members.
fn steps(made: &mut Object) {
    let [leaf, log, witnesses, inclusion] = ["leaf", "log", "witnesses", "inclusion"];
    for (name, verdict, steps) in [
        (
            "DisclosureStep",
            "DisclosureVerdict",
            &["disclosure", "fields", leaf, log, witnesses, inclusion][..],
        ),
        ("ProofsStep", "ProofsVerdict", &["proofs", log, witnesses]),
        ("ProofStep", "ProofVerdict", &["proof", "event", leaf, log, witnesses, inclusion]),
    ] {
        if verdict == "DisclosureVerdict" {
            let proof = made["ProofVerdict"].clone();
            let whole = &mut made[verdict];
            let members = [proof["properties"].clone(), whole["properties"].take()];
            let members = members.iter().filter_map(Value::as_object).flatten();
            let members = members.filter(|(name, _)| *name != "event" && *name != "proof");
            whole["properties"] = members
                .map(|(name, member)| (name.clone(), member.clone()))
                .collect::<Object>()
                .into();
            let required = [proof["required"].clone(), whole["required"].clone()];
            whole["required"] = required
                .iter()
                .filter_map(Value::as_array)
                .flatten()
                .filter(|name| *name != "proof")
                .cloned()
                .collect();
        }
        made[verdict]["properties"]["steps"]["items"] = json!({"$ref": format!("#/$defs/{name}")});
        let mut step = made["ProofStep"].clone();
        step["properties"]["step"] = json!({"description": "What is verified.", "enum": steps});
        made.insert(name.to_owned(), step);
    }
}
