//! The speed of translation against a bare quick-xml event loop over the same bytes, the additional cost of the XML schema verdict,
//! the speed of the verdict alone, and the memory that translation takes.
//!
//! `cargo run --release -p epcis-edge-tests --example translate_speed` compares them in turn, round after round, and prints the
//! median of the ratios. With a number of megabytes as argument, it translates one document of that size instead and prints the
//! peak resident memory. With a file path as argument, it writes a document of 10,000 events there, which `xmllint` can validate
//! too, and prints how long the verdict on it takes.

use epcis_edge_core::translate::{translate, translate_unjudged, validate_xml};
use epcis_edge_tests::time::seconds;
use quick_xml::events::Event;
use std::fmt::Write as _;

/// A document with all five event types, sensor data and extensions, always the same for the same number.
///
/// With `all`, every event also has an error declaration, a certificate, a persistent disposition and a repeated extension.
fn generate(events: usize, pretty: bool, all: bool) -> String {
    let version = 2;
    let (line, indent) = if pretty { ("\n", "    ") } else { ("", "") };
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>{line}<epcis:EPCISDocument xmlns:epcis=\"urn:epcglobal:epcis:xsd:{version}\" xmlns:acme=\"https://ns.acme.example/epcis/\" xmlns:cbvmda=\"urn:epcglobal:cbv:mda\" schemaVersion=\"{version}.0\" creationDate=\"2026-11-20T08:00:00Z\"><EPCISBody><EventList>{line}"
    );
    for number in 0..events {
        let name = match number % 9 {
            0..=3 => "ObjectEvent",
            4 | 5 => "AggregationEvent",
            6 => "TransactionEvent",
            7 => "TransformationEvent",
            _ => "AssociationEvent",
        };
        let mut put = |depth: usize, text: String| {
            for _ in 0..depth {
                xml.push_str(indent);
            }
            xml.push_str(&text);
            xml.push_str(line);
        };
        put(2, format!("<{name}>"));
        put(
            3,
            format!(
                "<eventTime>2026-10-{:02}T{:02}:15:30.{:03}+02:00</eventTime>",
                number % 28 + 1,
                number % 24,
                number % 1000
            ),
        );
        put(3, "<eventTimeZoneOffset>+02:00</eventTimeZoneOffset>".to_owned());
        if all {
            put(3, "<errorDeclaration><declarationTime>2026-10-30T10:00:00Z</declarationTime><reason>urn:epcglobal:cbv:er:incorrect_data</reason><correctiveEventIDs><correctiveEventID>urn:uuid:404d95fc-9457-4a51-bd6a-0bba133845a8</correctiveEventID></correctiveEventIDs></errorDeclaration>".to_owned());
            put(
                3,
                "<certificationInfo>https://accreditation-council.example.org/certificate/ABC12345</certificationInfo>"
                    .to_owned(),
            );
        }
        let epcs = |list: &str| {
            let mut text = format!("<{list}>");
            for serial in 0..3 {
                let _ = write!(
                    text,
                    "<epc>urn:epc:id:sgtin:9521141.{:06}.{}</epc>",
                    number % 1_000_000,
                    serial + number
                );
            }
            let _ = write!(text, "</{list}>");
            text
        };
        let transactions = "<bizTransactionList><bizTransaction type=\"urn:epcglobal:cbv:btt:po\">urn:epcglobal:cbv:bt:9521141000001:7</bizTransaction></bizTransactionList>";
        match name {
            "ObjectEvent" => put(3, epcs("epcList")),
            "AggregationEvent" | "AssociationEvent" => {
                put(3, format!("<parentID>urn:epc:id:sscc:9521141.{:010}</parentID>", number));
                put(3, epcs("childEPCs"));
            }
            "TransactionEvent" => {
                put(3, transactions.to_owned());
                put(3, epcs("epcList"));
            }
            _ => {
                put(3, epcs("inputEPCList"));
                put(3, epcs("outputEPCList"));
            }
        }
        if name != "TransformationEvent" {
            put(3, "<action>ADD</action>".to_owned());
        }
        put(3, "<bizStep>urn:epcglobal:cbv:bizstep:packing</bizStep>".to_owned());
        put(3, "<disposition>urn:epcglobal:cbv:disp:in_progress</disposition>".to_owned());
        put(
            3,
            format!(
                "<readPoint>{line}<id>urn:epc:id:sgln:9521141.00001.{}</id></readPoint>",
                number % 50
            ),
        );
        put(3, "<bizLocation><id>urn:epc:id:sgln:9521141.00002.0</id></bizLocation>".to_owned());
        if name == "ObjectEvent" {
            put(3, transactions.to_owned());
        }
        if number % 3 == 0 {
            put(3, "<sensorElementList><sensorElement>".to_owned());
            put(4, "<sensorMetadata time=\"2026-10-01T10:00:00Z\" deviceID=\"urn:epc:id:giai:4000001.111\"/>".to_owned());
            for value in 0..3 {
                put(
                    4,
                    format!(
                        "<sensorReport type=\"gs1:Temperature\" value=\"{value}.5\" minValue=\"-1.25\" uom=\"CEL\"/>"
                    ),
                );
            }
            put(3, "</sensorElement></sensorElementList>".to_owned());
        }
        if all {
            put(3, "<persistentDisposition><unset>urn:epcglobal:cbv:disp:completeness_inferred</unset><set>urn:epcglobal:cbv:disp:completeness_verified</set></persistentDisposition>".to_owned());
            put(3, "<acme:seal>1</acme:seal><acme:seal>2</acme:seal>".to_owned());
        }
        if number % 4 == 0 {
            put(3, format!("<acme:batch>B-{number}</acme:batch>"));
            put(3, "<acme:check><acme:by>Jo &amp; Co</acme:by><acme:result>fine</acme:result></acme:check>".to_owned());
        }
        put(2, format!("</{name}>"));
    }
    xml.push_str("</EventList></EPCISBody></epcis:EPCISDocument>");
    xml
}

fn bare_loop(xml: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut events = 0;
    while !matches!(reader.read_event().unwrap(), Event::Eof) {
        events += 1;
    }
    events
}

fn status(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or_default()
}

fn memory(megabytes: usize) {
    let one = generate(900, true, false).len() / 900;
    let xml = generate(megabytes * 1_000_000 / one, true, false);
    let before = status("VmHWM:");
    let translation = translate(xml.as_bytes()).unwrap();
    let after = status("VmHWM:");
    println!(
        "source {:.1} MB, output {:.1} MB, {} events, clean {}, peak over the source {:.1} MB",
        xml.len() as f64 / 1e6,
        translation.document.len() as f64 / 1e6,
        translation.metered_events,
        translation.fidelity_report.is_round_trip_clean(),
        (after - before) as f64 * 1024.0 / 1e6,
    );
}

/// Times the verdict alone on a document that is also written to a file, for other validators.
fn verdict(path: &str) {
    let xml = generate(10_000, true, false);
    std::fs::write(path, &xml).unwrap();
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            seconds(|| {
                let read = std::fs::read(path).unwrap();
                usize::from(validate_xml(&read).unwrap().valid)
            })
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{:.1} MB: read and judged in {:.1} ms (median of 15)",
        xml.len() as f64 / 1e6,
        times.get(7).copied().unwrap_or_default() * 1e3
    );
}

fn main() {
    epcis_edge_core::translate::compare_as_a_release();
    if let Some(path) = std::env::args().nth(1).filter(|path| path.contains(['/', '.'])) {
        verdict(&path);
        return;
    }
    if let Some(megabytes) = std::env::args().nth(1).and_then(|text| text.parse().ok()) {
        memory(megabytes);
        return;
    }
    for (events, pretty, all) in [
        (1, true, false),
        (100, true, false),
        (10_000, true, false),
        (1, false, false),
        (100, false, false),
        (10_000, false, false),
        (10_000, true, true),
    ] {
        let xml = generate(events, pretty, all);
        assert!(translate(xml.as_bytes()).unwrap().fidelity_report.is_round_trip_clean());
        let repeat = (3_000_000 / xml.len()).max(1);
        let (mut ratios, mut shares) = (Vec::new(), Vec::new());
        let (mut fastest, mut fastest_bare, mut fastest_verdict) = (f64::MAX, f64::MAX, f64::MAX);
        for _ in 0..15 {
            let bare = seconds(|| (0..repeat).map(|_| bare_loop(&xml)).sum::<usize>());
            let ours = seconds(|| {
                (0..repeat)
                    .map(|_| translate_unjudged(xml.as_bytes()).unwrap().document.len())
                    .sum::<usize>()
            });
            let judged = seconds(|| {
                (0..repeat)
                    .map(|_| translate(xml.as_bytes()).unwrap().document.len())
                    .sum::<usize>()
            });
            let verdict = seconds(|| {
                (0..repeat)
                    .map(|_| usize::from(validate_xml(xml.as_bytes()).unwrap().valid))
                    .sum::<usize>()
            });
            ratios.push(bare / ours);
            shares.push(judged / ours);
            fastest_verdict = fastest_verdict.min(verdict);
            fastest = fastest.min(ours);
            fastest_bare = fastest_bare.min(bare);
        }
        ratios.sort_by(f64::total_cmp);
        shares.sort_by(f64::total_cmp);
        let bytes = (xml.len() * repeat) as f64 / 1e6;
        println!(
            "{events:>6} events, {}{}: {:.2} of the bare loop (median of 15); {:.0} MB/s against {:.0} MB/s; with the verdict {:.3} of the time, the verdict alone {:.0} MB/s",
            if pretty { "pretty  " } else { "minified" },
            if all { ", every field" } else { "" },
            ratios.get(7).copied().unwrap_or_default(),
            bytes / fastest,
            bytes / fastest_bare,
            shares.get(7).copied().unwrap_or_default(),
            bytes / fastest_verdict,
        );
    }
}
