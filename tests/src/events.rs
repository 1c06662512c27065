//! Generated EPCIS documents of any size that the official schema accepts, the same in every run.
//!
//! The mix is that of a busy repository: all event types, EPC URNs and Digital Links, sensors, extensions, ILMD.

use crate::random::Random;
use serde_json::{Map, Value, json};

/// The kind of document that contains the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// An EPCISDocument with master data.
    Document,
    /// An EPCISQueryDocument.
    Query,
}

/// A document with this number of events.
#[must_use]
pub fn document(envelope: Envelope, events: usize, seed: u64) -> Value {
    let mut maker = Maker { random: Random::new(seed) };
    let events: Vec<Value> = (0..events).map(|_| maker.event()).collect();
    let context = json!([
        "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
        {"farm": "https://farm.example/terms/", "cbvmda": "urn:epcglobal:cbv:mda:"}
    ]);
    match envelope {
        Envelope::Document => json!({
            "@context": context,
            "type": "EPCISDocument",
            "schemaVersion": "2.0",
            "creationDate": "2026-02-01T06:00:00.000Z",
            "epcisHeader": {"epcisMasterData": {"vocabularyList": [master_data()]}},
            "epcisBody": {"eventList": events},
        }),
        Envelope::Query => json!({
            "@context": context,
            "type": "EPCISQueryDocument",
            "epcisBody": {"queryResults": {
                "queryName": "SimpleEventQuery",
                "resultsBody": {"eventList": events},
            }},
        }),
    }
}

fn master_data() -> Value {
    json!({
        "type": "urn:epcglobal:epcis:vtype:BusinessLocation",
        "vocabularyElementList": [{
            "id": "urn:epc:id:sgln:9521141.00010.0",
            "attributes": [
                {"id": "urn:epcglobal:cbv:mda#name", "attribute": "Packhouse at the mill"},
                {"id": "farm:hectares", "attribute": 41.5},
            ],
            "children": ["urn:epc:id:sgln:9521141.00010.7"],
        }],
    })
}

struct Maker {
    random: Random,
}

const STEPS: [&str; 8] = [
    "commissioning",
    "packing",
    "shipping",
    "receiving",
    "storing",
    "inspecting",
    "loading",
    "https://farm.example/steps/curing",
];
const DISPOSITIONS: [&str; 5] = ["active", "in_transit", "in_progress", "conformant", "expired"];
const MEASURED: [(&str, &str); 4] = [
    ("Temperature", "CEL"),
    ("RelativeHumidity", "A93"),
    ("Mass", "KGM"),
    ("gs1:Illuminance", "LUX"),
];
const REMARKS: [&str; 5] =
    ["crate 4 of 12", "Süd-Rampe", "said \"too warm\"", "冷蔵", "first line\nsecond line"];

impl Maker {
    fn event(&mut self) -> Value {
        let mut event = Map::new();
        let kind = self.random.below(100);
        event.insert("type".to_owned(), self.kind(kind).into());
        if self.random.percent(60) {
            let id = format!(
                "ni:///sha-256;{:016x}{:016x}{:016x}{:016x}?ver=CBV2.0",
                self.random.number(),
                self.random.number(),
                self.random.number(),
                self.random.number()
            );
            event.insert("eventID".to_owned(), id.into());
        }
        event.insert("eventTime".to_owned(), self.time());
        let offset = *self.random.pick(&["+01:00", "-05:00", "+00:00"]);
        event.insert("eventTimeZoneOffset".to_owned(), offset.into());
        let what = match kind {
            0..45 => self.observed(),
            45..65 => self.packed(),
            65..77 => self.traded(),
            77..89 => self.transformed(),
            89..98 => json!({
                "action": "ADD",
                "parentID": format!("urn:epc:id:grai:9521141.77777.{}", self.random.below(1_000_000)),
                "childEPCs": [format!("urn:epc:id:giai:9521141.{}", self.random.below(1_000_000))],
            }),
            _ => json!({"farm:field": self.remark()}),
        };
        merge(&mut event, what);
        if kind < 98 {
            self.where_and_why(&mut event);
        }
        if self.random.percent(25) {
            let extension = self.extension();
            merge(&mut event, extension);
        }
        if self.random.percent(3) {
            let declaration = json!({
                "declarationTime": self.time(),
                "reason": "incorrect_data",
                "correctiveEventIDs": ["urn:uuid:2b1f6c1e-0c5b-4e0e-9a55-3e1c7f7f6a10"],
            });
            event.insert("errorDeclaration".to_owned(), declaration);
        }
        Value::Object(event)
    }

    fn kind(&self, kind: usize) -> &'static str {
        match kind {
            0..45 => "ObjectEvent",
            45..65 => "AggregationEvent",
            65..77 => "TransactionEvent",
            77..89 => "TransformationEvent",
            89..98 => "AssociationEvent",
            _ => "farm:SprayingEvent",
        }
    }

    fn observed(&mut self) -> Value {
        let action = *self.random.pick(&["OBSERVE", "OBSERVE", "ADD", "DELETE"]);
        let mut what = json!({"action": action, "epcList": self.items(10)});
        if self.random.percent(25) {
            what["quantityList"] = json!([self.quantity()]);
        }
        if action == "ADD" && self.random.percent(50) {
            what["ilmd"] = json!({
                "cbvmda:lotNumber": format!("L{}", self.random.below(100_000)),
                "farm:variety": self.remark(),
            });
        }
        if self.random.percent(10) {
            what["persistentDisposition"] = json!({"set": ["completeness_verified"]});
        }
        what
    }

    fn packed(&mut self) -> Value {
        let action = *self.random.pick(&["ADD", "OBSERVE", "DELETE"]);
        let parent = format!("urn:epc:id:sscc:9521141.{:010}", self.random.below(1 << 30));
        json!({"action": action, "parentID": parent, "childEPCs": self.items(12)})
    }

    fn traded(&mut self) -> Value {
        json!({"action": "ADD", "bizTransactionList": [self.transaction()], "epcList": self.items(6)})
    }

    fn transformed(&mut self) -> Value {
        json!({"inputQuantityList": [self.quantity(), self.quantity()], "outputEPCList": self.items(5)})
    }

    fn where_and_why(&mut self, event: &mut Map<String, Value>) {
        let step = *self.random.pick(&STEPS);
        event.insert("bizStep".to_owned(), step.into());
        if self.random.percent(80) {
            let disposition = *self.random.pick(&DISPOSITIONS);
            event.insert("disposition".to_owned(), disposition.into());
        }
        event.insert("readPoint".to_owned(), json!({"id": self.place()}));
        if self.random.percent(60) {
            event.insert("bizLocation".to_owned(), json!({"id": self.place()}));
        }
        if self.random.percent(40) {
            let transactions = json!([self.transaction()]);
            event.insert("bizTransactionList".to_owned(), transactions);
        }
        if self.random.percent(25) {
            let party = format!("urn:epc:id:pgln:9521141.{:05}", self.random.below(100_000));
            let source = json!([{"type": "owning_party", "source": party}]);
            event.insert("sourceList".to_owned(), source);
            let party = format!("https://id.gs1.org/417/952{:010}", self.random.below(1 << 30));
            let destination = json!([{"type": "possessing_party", "destination": party}]);
            event.insert("destinationList".to_owned(), destination);
        }
        if self.random.percent(30) {
            let elements: Vec<Value> = (0..=self.random.below(2)).map(|_| self.sensor()).collect();
            event.insert("sensorElementList".to_owned(), elements.into());
        }
    }

    fn sensor(&mut self) -> Value {
        let reports: Vec<Value> = (0..=self.random.below(4)).map(|_| self.report()).collect();
        json!({
            "sensorMetadata": {
                "time": self.time(),
                "deviceID": format!("urn:epc:id:giai:9521141.{}", self.random.below(1000)),
            },
            "sensorReport": reports,
        })
    }

    fn report(&mut self) -> Value {
        let (kind, unit) = *self.random.pick(&MEASURED);
        let value = self.random.below(15_000) as f64 / 100.0 - 30.0;
        let mut report = json!({"type": kind, "value": value, "uom": unit});
        if self.random.percent(30) {
            report["minValue"] = (value - 1.5).into();
            report["maxValue"] = (value + 2.25).into();
        }
        if self.random.percent(10) {
            report["hexBinaryValue"] = format!("{:06X}", self.random.below(1 << 24)).into();
        }
        if self.random.percent(10) {
            report["farm:calibratedBy"] = self.remark();
        }
        report
    }

    fn extension(&mut self) -> Value {
        match self.random.below(4) {
            0 => json!({"farm:note": self.remark()}),
            1 => json!({"farm:weight": self.random.below(90_000)}),
            2 => json!({"farm:rows": [self.remark(), self.remark()], "farm:organic": true}),
            _ => json!({"https://farm.example/terms/visit": {
                "farm:by": self.remark(), "farm:detail": {"farm:at": self.time(), "farm:score": 7.25},
            }}),
        }
    }

    fn items(&mut self, most: usize) -> Value {
        let base = self.random.below(1 << 40);
        let count = 1 + self.random.below(most);
        (0..count)
            .map(|item| match self.random.below(2) {
                0 => format!("urn:epc:id:sgtin:9521141.{:06}.{}", base % 1_000_000, base + item),
                _ => format!("https://id.gs1.org/01/{:014}/21/X{}", base % 10_000_000, base + item),
            })
            .collect::<Vec<_>>()
            .into()
    }

    fn quantity(&mut self) -> Value {
        let lot = self.random.below(10_000);
        let amount = self.random.below(500_000) as f64 / 100.0;
        json!({"epcClass": format!("urn:epc:class:lgtin:9521141.012345.L{lot}"), "quantity": amount, "uom": "KGM"})
    }

    fn transaction(&mut self) -> Value {
        let kind = *self.random.pick(&["po", "desadv", "inv", "bol"]);
        let number = self.random.below(1_000_000);
        json!({"type": kind, "bizTransaction": format!("urn:epcglobal:cbv:bt:9521141000008:{number}")})
    }

    fn place(&mut self) -> String {
        let number = self.random.below(100_000);
        match self.random.below(2) {
            0 => format!("urn:epc:id:sgln:9521141.{number:05}.0"),
            _ => format!("https://id.gs1.org/414/95211410{number:05}/254/5"),
        }
    }

    fn time(&mut self) -> Value {
        let (day, second) = (self.random.below(28) + 1, self.random.below(60));
        let hour = self.random.below(24);
        let ending = *self.random.pick(&["Z", ".250Z", "+02:00", ".004-05:00"]);
        format!("2026-01-{day:02}T{hour:02}:15:{second:02}{ending}").into()
    }

    fn remark(&mut self) -> Value {
        (*self.random.pick(&REMARKS)).into()
    }
}

fn merge(event: &mut Map<String, Value>, members: Value) {
    if let Value::Object(members) = members {
        event.extend(members);
    }
}
