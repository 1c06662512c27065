//! The log of a gateway: it grows, is cosigned, proves its events, and obeys its operator.

use super::gateway::{Asked, Gateway, Partner, body, log_key};
use super::story::{document, encoded, event, post};
use super::values::{or_refusal, text_of};
use epcis_edge_core::json::Document;
use epcis_edge_core::log::{
    Order, Proof, Tile, disclosable, disclose, verify, verify_disclosure, verify_proofs,
    verify_receipt,
};
use pollster::block_on;
use serde_json::{Value, json};

/// Where the events of an answer are.
const LIST: &str = "/epcisBody/queryResults/resultsBody/eventList";

/// The log grows by more than a tile, is cosigned, and proves its events. Returns an `eventID`, encoded.
pub(super) fn the_log_grows(gateway: &Gateway) -> String {
    gateway.get("before a head", "/log/checkpoint");
    gateway.integrate();
    let partner = Partner::new();
    let cosigned = |name: &str| {
        let troubles = block_on(gateway.service.cosign(&partner, gateway.now())).unwrap();
        gateway.note(name, troubles.join("\n"));
    };
    cosigned("cosigned");
    let before = gateway.get("first head", "/log/checkpoint");
    let many: Vec<Value> = (100..350).map(event).collect();
    post(gateway, "many", "/capture", &document(&json!(many)));
    gateway.get("not logged yet", "/log/status");
    gateway.integrate();
    gateway.get("not cosigned yet", "/log/status");
    cosigned("cosigned again");
    let head = gateway.get("head", "/log/checkpoint");
    let policy = body(&gateway.get("log", "/log/policy")).replace("quorum none", "quorum W");
    gateway.get("log", "/log/status");
    for size in [&before, &head].map(|head| body(head).lines().nth(1).unwrap().to_owned()) {
        let size: u64 = size.parse().unwrap();
        for (level, number) in [(0, 0), (0, 1), (1, 0)] {
            let tile = Tile::of(level, number, size);
            let Some(tile) = tile else { continue };
            let of = format!("of {size}");
            gateway.get(&of, &format!("/log/{tile}"));
            if level == 0 {
                let bundle = tile.to_string().replace("tile/0/", "tile/entries/");
                gateway.get(&of, &format!("/log/{bundle}"));
            }
        }
    }
    for target in
        ["/log/tile/0/007", "/log/tile/0/000.p/999", "/log/tile/entries/007", "/log/tile/none"]
    {
        gateway.get("no tile", target);
    }
    proofs(gateway, &policy)
}

/// Proofs, receipts and disclosures of some events, and what a verifier says of them.
fn proofs(gateway: &Gateway, policy: &str) -> String {
    let page =
        body(&gateway.get("to prove", "/events?perPage=30&orderBy=eventTime&orderDirection=ASC"));
    let page: Value = serde_json::from_str(&page).unwrap();
    let events = page.pointer(LIST).and_then(Value::as_array);
    let mut last = String::new();
    for (at, event) in events.unwrap().iter().enumerate().step_by(3) {
        let name = encoded(event["eventID"].as_str().unwrap());
        let answer = gateway.get("proof", &format!("/log/proof?event={name}"));
        let receipt = gateway.get("receipt", &format!("/log/proof?event={name}&format=cose"));
        let found = body(&gateway.get("proved", &format!("/events/{name}")));
        let found = Document::read(found.as_bytes()).unwrap();
        // The bytes that were logged.
        let event = found.root().pointer(&format!("{LIST}/0")).unwrap().source();
        if answer.status() == 200 {
            let proof = body(&answer);
            let (event, now) = (event.as_bytes(), gateway.now());
            let told = |what: &str, value: String| gateway.note(&format!("{what} {at}"), value);
            told("verified", text_of(verify(event, &proof, policy, now)));
            let verdict = verify_receipt(event, receipt.body(), policy);
            told("verified receipt", text_of(verdict));
            let statement = Proof::read(&proof).unwrap().extra;
            told("statement", statement.map(|(_, text)| text).unwrap_or_default());
            told("disclosable", text_of(disclosable(event, &proof)));
            let shown = disclose(event, &proof, &["epcList".to_owned()]);
            if let Ok(shown) = &shown {
                let verdict = verify_disclosure(shown.as_bytes(), policy, now);
                told("verified disclosure", text_of(verdict));
            }
            told("disclosure", or_refusal(shown));
        }
        last = name;
    }
    for target in [
        "/log/proof?event=urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8",
        "/log/proof?event=urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8&declaration=1",
        "/log/proof?event=urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8&declaration=9",
        "/log/proof?event=urn:uuid:none",
        "/log/proof?event=a&format=der",
        "/log/proofs?perPage=40",
        "/log/proofs?EQ_bizStep=receiving",
        "/log/proofs?EQ_nothing=1",
    ] {
        let answer = gateway.get("many", target);
        if target.starts_with("/log/proofs") && answer.status() == 200 {
            let verdict = verify_proofs(answer.body(), policy, gateway.now());
            gateway.note(&format!("verified {target}"), text_of(verdict));
        }
    }
    last
}

/// An order to the log, signed with its key.
pub(super) fn order(word: &str, now: u64) -> String {
    Order::named(word).unwrap().signed(&log_key(), now)
}

/// The operator's orders.
pub(super) fn give_orders(gateway: &Gateway) {
    gateway.later(5);
    let send = |name: &str, text: &str| {
        let asked = Asked {
            method: "POST",
            target: "/log/order",
            headers: Vec::new(),
            body: text.as_bytes(),
        };
        gateway.send(name, &asked);
    };
    for word in ["check 0", "check 40", "restart"] {
        send(&format!("order {word}"), &order(word, gateway.now()));
    }
    send("order too late", &order("restart", gateway.now() - 301_000));
}
