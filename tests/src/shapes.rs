//! XML bodies that are expensive to process, of any length, for the tests that bound memory and time.

use std::fmt::Write as _;

/// A kind of XML body that can be made in any size.
pub struct Shape {
    /// What the body has many of.
    pub name: &'static str,
    make: fn(usize) -> String,
}

impl Shape {
    /// A body of this shape, of this many bytes or slightly more.
    #[must_use]
    pub fn body(&self, size: usize) -> String {
        (self.make)(size)
    }
}

const HEAD: &str = "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:2\" xmlns:a=\"urn:a:\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" schemaVersion=\"2.0\" creationDate=\"2026-10-05T09:30:00Z\">";
const TAIL: &str = "</e:EPCISDocument>";
const TIMES: &str =
    "<eventTime>2026-10-05T09:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>";

/// Text of about this many bytes: a start, repeated items, an end.
fn fill(size: usize, before: &str, item: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = String::with_capacity(size + 4096);
    text.push_str(before);
    let mut number = 0;
    while text.len() + after.len() < size {
        text.push_str(&item(number));
        number += 1;
    }
    text.push_str(after);
    text
}

/// A document with these items in its `EventList`.
fn events(size: usize, item: impl Fn(usize) -> String) -> String {
    let before = format!("{HEAD}<EPCISBody><EventList>");
    let after = format!("</EventList></EPCISBody>{TAIL}");
    fill(size, &before, item, &after)
}

/// A document with one event. In the event, the items follow `before` and precede `after`.
fn event(size: usize, before: &str, item: impl Fn(usize) -> String, after: &str) -> String {
    let before = format!("{HEAD}<EPCISBody><EventList><ObjectEvent>{TIMES}{before}");
    let after = format!("{after}</ObjectEvent></EventList></EPCISBody>{TAIL}");
    fill(size, &before, item, &after)
}

/// A document with one complete object event, and these items as its extensions.
fn extended(size: usize, item: impl Fn(usize) -> String) -> String {
    event(size, "<epcList/><action>OBSERVE</action>", item, "")
}

/// A document with these items in its header.
fn header(size: usize, before: &str, item: impl Fn(usize) -> String, after: &str) -> String {
    let before = format!("{HEAD}<EPCISHeader>{before}");
    let after = format!("{after}</EPCISHeader><EPCISBody><EventList/></EPCISBody>{TAIL}");
    fill(size, &before, item, &after)
}

const SBDH: &str = "<s:StandardBusinessDocumentHeader xmlns:s=\"http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader\">";
const SBDH_END: &str = "</s:StandardBusinessDocumentHeader>";
const MASTER: &str = "<extension><EPCISMasterData><VocabularyList>";
const MASTER_END: &str = "</VocabularyList></EPCISMasterData></extension>";

/// This many attributes in this form.
fn attributes(count: usize, form: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", form(number));
    }
    text
}

fn object(number: usize) -> String {
    format!(
        "<ObjectEvent>{TIMES}<epcList><epc>urn:epc:id:sgtin:9521141.012345.{number}</epc></epcList><action>OBSERVE</action><bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep></ObjectEvent>"
    )
}

/// Every shape of XML.
pub const XML: &[Shape] = &[
    Shape {
        name: "one event of empty EPCs",
        make: |size| {
            event(size, "<epcList>", |_| "<epc/>".into(), "</epcList><action>ADD</action>")
        },
    },
    Shape {
        name: "one event of EPCs",
        make: |size| {
            event(
                size,
                "<epcList>",
                |n| format!("<epc>urn:epc:id:sgtin:9521141.012345.{n}</epc>"),
                "</epcList><action>ADD</action>",
            )
        },
    },
    Shape {
        name: "one event of qualified EPCs",
        make: |size| {
            event(
                size,
                "<epcList>",
                |n| format!("<e:epc>urn:{n}</e:epc>"),
                "</epcList><action>ADD</action>",
            )
        },
    },
    Shape {
        name: "one event of quantities",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><quantityList>",
                |n| {
                    format!(
                        "<quantityElement><epcClass>urn:epc:class:lgtin:9521141.012345.{n}</epcClass><quantity>{n}.50</quantity><uom>KGM</uom></quantityElement>"
                    )
                },
                "</quantityList>",
            )
        },
    },
    Shape {
        name: "one event of empty quantities",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><quantityList>",
                |_| "<quantityElement/>".into(),
                "</quantityList>",
            )
        },
    },
    Shape {
        name: "extension elements of one name",
        make: |size| extended(size, |n| format!("<a:b>{n}</a:b>")),
    },
    Shape { name: "empty extension elements", make: |size| extended(size, |_| "<a:b/>".into()) },
    Shape {
        name: "extension elements of many names",
        make: |size| extended(size, |n| format!("<a:b{n}>1</a:b{n}>")),
    },
    Shape {
        name: "empty extension elements of many names",
        make: |size| extended(size, |n| format!("<a:b{n}/>")),
    },
    Shape {
        name: "extension elements in extension elements",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><a:a>",
                |n| format!("<a:b><c>{n}</c><c>2</c></a:b>"),
                "</a:a>",
            )
        },
    },
    Shape {
        name: "many attributes on extensions",
        make: |size| {
            extended(size, |_| format!("<a:b{}/>", attributes(200, |n| format!("a{n}=\"\""))))
        },
    },
    Shape {
        name: "attributes on extensions",
        make: |size| extended(size, |n| format!("<a:b c=\"{n}\">2</a:b>")),
    },
    Shape {
        name: "events with attributes on extensions",
        make: |size| {
            events(size, |n| {
                object(n).replace(
                    "</ObjectEvent>",
                    "<a:b c=\"1\" d=\"2\">3</a:b><a:f g=\"4\"/></ObjectEvent>",
                )
            })
        },
    },
    Shape {
        name: "events with extension elements",
        make: |size| {
            events(size, |n| {
                object(n).replace(
                    "</ObjectEvent>",
                    &format!("<a:b><a:c>{n}</a:c><a:d>x</a:d></a:b><a:e>z</a:e></ObjectEvent>"),
                )
            })
        },
    },
    Shape {
        name: "attributes of users on events",
        make: |size| {
            events(size, |n| {
                object(n).replacen("<ObjectEvent", "<ObjectEvent a:x=\"1\" y=\"2\"", 1)
            })
        },
    },
    Shape { name: "unknown elements in an event", make: |size| extended(size, |_| "<x/>".into()) },
    Shape {
        name: "unknown elements of many names in an event",
        make: |size| extended(size, |n| format!("<x{n}/>")),
    },
    Shape {
        name: "unknown elements in lists",
        make: |size| event(size, "<epcList>", |_| "<x/>".into(), "</epcList><action>ADD</action>"),
    },
    Shape {
        name: "unknown events",
        make: |size| {
            events(size, |n| {
                format!(
                    "<SensorEvent><eventTime>2026-10-05T09:30:00Z</eventTime><x>{n}</x></SensorEvent>"
                )
            })
        },
    },
    Shape { name: "empty unknown events", make: |size| events(size, |_| "<x/>".into()) },
    Shape {
        name: "unknown events of many names",
        make: |size| events(size, |n| format!("<x{n}/>")),
    },
    Shape {
        name: "foreign events",
        make: |size| events(size, |n| format!("<a:SensorEvent><a:x>{n}</a:x></a:SensorEvent>")),
    },
    Shape {
        name: "a header of scopes",
        make: |size| {
            header(
                size,
                &format!("{SBDH}<s:BusinessScope>"),
                |n| {
                    format!(
                        "<s:Scope><s:Type>T</s:Type><s:InstanceIdentifier>{n}</s:InstanceIdentifier></s:Scope>"
                    )
                },
                &format!("</s:BusinessScope>{SBDH_END}"),
            )
        },
    },
    Shape {
        name: "a header of partners",
        make: |size| {
            header(
                size,
                SBDH,
                |n| {
                    format!(
                        "<s:Sender><s:Identifier Authority=\"GS1\">{n}</s:Identifier><s:ContactInformation><s:Contact>c</s:Contact></s:ContactInformation></s:Sender>"
                    )
                },
                SBDH_END,
            )
        },
    },
    Shape {
        name: "a header of empty elements",
        make: |size| header(size, SBDH, |_| "<s:a/>".into(), SBDH_END),
    },
    Shape {
        name: "a header of attributes",
        make: |size| {
            header(
                size,
                SBDH,
                |_| format!("<s:a{}/>", attributes(200, |n| format!("a{n}=\"\""))),
                SBDH_END,
            )
        },
    },
    Shape {
        name: "many headers",
        make: |size| header(size, "", |_| format!("{SBDH}{SBDH_END}"), ""),
    },
    Shape {
        name: "members of the header",
        make: |size| header(size, "", |n| format!("<a:m>{n}</a:m>"), ""),
    },
    Shape {
        name: "one prefix for many namespaces",
        make: |size| extended(size, |n| format!("<p:b xmlns:p=\"urn:p{n}:\">1</p:b>")),
    },
    Shape {
        name: "many prefixes for many namespaces",
        make: |size| extended(size, |n| format!("<p{n}:b xmlns:p{n}=\"urn:p{n}:\">1</p{n}:b>")),
    },
    Shape {
        name: "many prefixes for one namespace",
        make: |size| extended(size, |n| format!("<p{n}:b xmlns:p{n}=\"urn:p:\">1</p{n}:b>")),
    },
    Shape {
        name: "many default namespaces",
        make: |size| extended(size, |n| format!("<b xmlns=\"urn:p{n}:\">1</b>")),
    },
    Shape {
        name: "prefixes that JSON-LD does not take",
        make: |size| extended(size, |n| format!("<p_:b xmlns:p_=\"urn:p{n}:\">1</p_:b>")),
    },
    Shape {
        name: "events that each declare a namespace",
        make: |size| {
            events(size, |n| {
                object(n).replace(
                    "</ObjectEvent>",
                    &format!("<p:b xmlns:p=\"urn:p{n}:\">1</p:b></ObjectEvent>"),
                )
            })
        },
    },
    Shape {
        name: "namespaces that nobody uses",
        make: |size| extended(size, |n| format!("<a:b xmlns:p=\"urn:p{n}:\">1</a:b>")),
    },
    Shape {
        name: "many namespaces in force",
        make: |size| {
            event(
                size,
                &format!(
                    "<epcList/><action>ADD</action><a:a{}>",
                    attributes(240, |n| format!("xmlns:p{n}=\"urn:p{n}:\""))
                ),
                |n| format!("<p{0}:b/>", n % 240),
                "</a:a>",
            )
        },
    },
    Shape {
        name: "a long prefix for a short one",
        make: |size| {
            event(
                size,
                &format!(
                    "<epcList/><action>ADD</action><a:x xmlns:{0}=\"urn:long:\" xmlns:l=\"urn:long:\"><{0}:a/>",
                    "l".repeat(900)
                ),
                |n| format!("<l:b{n:030}/>"),
                "</a:x>",
            )
        },
    },
    Shape {
        name: "deep nesting",
        make: |size| extended(size, |_| format!("{}{}", "<a:b>".repeat(80), "</a:b>".repeat(80))),
    },
    Shape {
        name: "long names",
        make: |size| {
            extended(size, |n| {
                let name = format!("a:b{n:0900}");
                format!("<{name}/>")
            })
        },
    },
    Shape {
        name: "losses under long names",
        make: |size| {
            event(
                size,
                &format!(
                    "<epcList/><action>ADD</action>{}",
                    format!("<a:{}>", "b".repeat(900)).repeat(60)
                ),
                |_| "<a:c d=\"\"/>".into(),
                &format!("</a:{}>", "b".repeat(900)).repeat(60),
            )
        },
    },
    Shape {
        name: "references to characters",
        make: |size| extended(size, |_| format!("<a:b>{}</a:b>", "&#65;".repeat(2000))),
    },
    Shape {
        name: "references to entities",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "&amp;".into(), "</a:b>")
        },
    },
    Shape { name: "comments", make: |size| extended(size, |_| "<!---->".into()) },
    Shape {
        name: "comments in a text",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "x<!---->".into(), "</a:b>")
        },
    },
    Shape { name: "processing instructions", make: |size| extended(size, |_| "<?p?>".into()) },
    Shape {
        name: "comments before the document",
        make: |size| fill(size, "", |_| "<!---->".into(), "<ObjectEvent/>"),
    },
    Shape {
        name: "CDATA sections",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "<![CDATA[x]]>".into(), "</a:b>")
        },
    },
    Shape {
        name: "carriage returns",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "\r".repeat(1000), "</a:b>")
        },
    },
    Shape {
        name: "carriage returns and line feeds",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "\r\n".repeat(500), "</a:b>")
        },
    },
    Shape {
        name: "carriage returns between letters",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "x\r".repeat(500), "</a:b>")
        },
    },
    Shape {
        name: "carriage returns in an EPC",
        make: |size| {
            event(
                size,
                "<epcList><epc>",
                |_| "x\r".repeat(500),
                "</epc></epcList><action>ADD</action>",
            )
        },
    },
    Shape {
        name: "carriage returns in an attribute",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><a:b c=\"",
                |_| "\r".repeat(1000),
                "\">1</a:b>",
            )
        },
    },
    Shape {
        name: "carriage returns in a CDATA section",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><a:b><![CDATA[",
                |_| "\r".repeat(1000),
                "]]></a:b>",
            )
        },
    },
    Shape {
        name: "carriage returns in CDATA sections",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><a:b>",
                |_| "<![CDATA[\r]]>".into(),
                "</a:b>",
            )
        },
    },
    Shape {
        name: "carriage returns in a header",
        make: |size| {
            header(
                size,
                &format!("{SBDH}<s:HeaderVersion>"),
                |_| "\r".repeat(1000),
                &format!("</s:HeaderVersion>{SBDH_END}"),
            )
        },
    },
    Shape {
        name: "carriage returns in master data",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList><VocabularyElement id=\"urn:1\"><attribute id=\"urn:a\">"
                ),
                |_| "\r".repeat(1000),
                &format!(
                    "</attribute></VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"
                ),
            )
        },
    },
    Shape {
        name: "carriage returns in a member of the document",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList/></EPCISBody><a:b>"),
                |_| "\r".repeat(1000),
                &format!("</a:b>{TAIL}"),
            )
        },
    },
    Shape {
        name: "references to carriage returns",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "&#13;".into(), "</a:b>")
        },
    },
    Shape {
        name: "references to carriage returns in an attribute",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b c=\"", |_| "&#13;".into(), "\">1</a:b>")
        },
    },
    Shape {
        name: "tabs",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "\t".repeat(1000), "</a:b>")
        },
    },
    Shape {
        name: "texts of line feeds",
        make: |size| extended(size, |_| format!("<a:b>{}</a:b>", "\n".repeat(1000))),
    },
    Shape {
        name: "control characters by their numbers",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "&#x7f;&#x85;".into(), "</a:b>")
        },
    },
    Shape {
        name: "attributes of one vocabulary element, with values",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:epcglobal:epcis:vtype:BusinessLocation\"><VocabularyElementList><VocabularyElement id=\"urn:epc:id:sgln:9521141.00001.0\">"
                ),
                |n| format!("<attribute id=\"urn:epcglobal:cbv:mda#{n}\">{n}</attribute>"),
                &format!("</VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "attributes of one vocabulary element, of one name",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:epcglobal:epcis:vtype:BusinessLocation\"><VocabularyElementList><VocabularyElement id=\"urn:epc:id:sgln:9521141.00001.0\">"
                ),
                |n| format!("<attribute id=\"urn:epcglobal:cbv:mda#name\">{n}</attribute>"),
                &format!("</VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "attributes of one vocabulary element, carriage returns",
        make: |size| {
            let head = format!(
                "{HEAD}<EPCISHeader>{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList><VocabularyElement id=\"urn:1\">"
            );
            let between = format!(
                "</VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}</EPCISHeader><EPCISBody><EventList><ObjectEvent>{TIMES}<epcList/><action>ADD</action><a:b>"
            );
            let master_data = fill(
                size / 2,
                &head,
                |n| format!("<attribute id=\"urn:epcglobal:cbv:mda#{n}\">{n}</attribute>"),
                &between,
            );
            let after = format!("</a:b></ObjectEvent></EventList></EPCISBody>{TAIL}");
            fill(size, &master_data, |_| "\r".repeat(1000), &after)
        },
    },
    Shape {
        name: "attributes of vocabulary elements, a thousand each",
        make: |size| {
            header(
                size,
                &format!("{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList>"),
                |n| {
                    let mut text = format!("<VocabularyElement id=\"urn:{n}\">");
                    for attribute in 0..1000 {
                        // Writing to a string cannot fail.
                        let _ = write!(
                            text,
                            "<attribute id=\"urn:epcglobal:cbv:mda#{attribute}\">{n}</attribute>"
                        );
                    }
                    text.push_str("</VocabularyElement>");
                    text
                },
                &format!("</VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "one long text",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "text ".repeat(200), "</a:b>")
        },
    },
    Shape {
        name: "one text of quotes",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "\"".repeat(1000), "</a:b>")
        },
    },
    Shape {
        name: "quotes in a header",
        make: |size| header(size, "<a:b>", |_| "\"".repeat(1000), "</a:b>"),
    },
    Shape {
        name: "quotes in master data",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList><VocabularyElement id=\"urn:1\"><attribute id=\"urn:a\">"
                ),
                |_| "\"".repeat(1000),
                &format!(
                    "</attribute></VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"
                ),
            )
        },
    },
    Shape {
        name: "one text where none belongs",
        make: |size| event(size, "<epcList/><action>ADD</action>", |_| "text ".repeat(200), ""),
    },
    Shape {
        name: "one long attribute",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><a:b c=\"",
                |_| "text ".repeat(200),
                "\">1</a:b>",
            )
        },
    },
    Shape {
        name: "texts between elements",
        make: |size| {
            event(size, "<epcList/><action>ADD</action><a:b>", |_| "x<a:c/>".into(), "</a:b>")
        },
    },
    Shape {
        name: "white space",
        make: |size| event(size, "<epcList/><action>ADD</action>", |_| " \n".repeat(500), ""),
    },
    Shape {
        name: "sensor reports",
        make: |size| {
            event(
                size,
                "<epcList/><action>OBSERVE</action><sensorElementList><sensorElement>",
                |n| {
                    format!(
                        "<sensorReport type=\"gs1:Temperature\" value=\"{n}.5\" uom=\"CEL\" sDev=\"0.1\"/>"
                    )
                },
                "</sensorElement></sensorElementList>",
            )
        },
    },
    Shape {
        name: "sensor reports with unknown attributes",
        make: |size| {
            event(
                size,
                "<epcList/><action>OBSERVE</action><sensorElementList><sensorElement>",
                |_| {
                    format!(
                        "<sensorReport type=\"gs1:Temperature\"{}/>",
                        attributes(200, |n| format!("u{n}=\"\""))
                    )
                },
                "</sensorElement></sensorElementList>",
            )
        },
    },
    Shape {
        name: "sensor reports with attributes of users",
        make: |size| {
            event(
                size,
                "<epcList/><action>OBSERVE</action><sensorElementList><sensorElement>",
                |_| {
                    format!(
                        "<sensorReport type=\"gs1:Temperature\"{}/>",
                        attributes(200, |n| format!("a:u{n}=\"\""))
                    )
                },
                "</sensorElement></sensorElementList>",
            )
        },
    },
    Shape {
        name: "sensor elements",
        make: |size| {
            event(
                size,
                "<epcList/><action>OBSERVE</action><sensorElementList>",
                |_| {
                    "<sensorElement><sensorMetadata time=\"2026-10-05T09:30:00Z\"/><sensorReport type=\"gs1:Temperature\"/></sensorElement>".into()
                },
                "</sensorElementList>",
            )
        },
    },
    Shape {
        name: "vocabularies",
        make: |size| header(size, MASTER, |_| "<Vocabulary type=\"urn:t\"/>".into(), MASTER_END),
    },
    Shape {
        name: "vocabulary elements",
        make: |size| {
            header(
                size,
                &format!("{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList>"),
                |n| {
                    format!(
                        "<VocabularyElement id=\"urn:v{n}\"><attribute id=\"urn:a\">x</attribute></VocabularyElement>"
                    )
                },
                &format!("</VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "empty vocabulary elements",
        make: |size| {
            header(
                size,
                &format!("{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList>"),
                |_| "<VocabularyElement/>".into(),
                &format!("</VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "attributes of a vocabulary element",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList><VocabularyElement id=\"urn:v\">"
                ),
                |n| format!("<attribute id=\"urn:a{n}\">x</attribute>"),
                &format!("</VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"),
            )
        },
    },
    Shape {
        name: "children of a vocabulary element",
        make: |size| {
            header(
                size,
                &format!(
                    "{MASTER}<Vocabulary type=\"urn:t\"><VocabularyElementList><VocabularyElement id=\"urn:v\"><children>"
                ),
                |n| format!("<id>urn:v{n}</id>"),
                &format!(
                    "</children></VocabularyElement></VocabularyElementList></Vocabulary>{MASTER_END}"
                ),
            )
        },
    },
    Shape {
        name: "corrections of an error declaration",
        make: |size| {
            event(
                size,
                "<errorDeclaration><declarationTime>2026-10-05T09:30:00Z</declarationTime><correctiveEventIDs>",
                |n| format!("<correctiveEventID>urn:uuid:{n}</correctiveEventID>"),
                "</correctiveEventIDs></errorDeclaration><epcList/><action>ADD</action>",
            )
        },
    },
    Shape {
        name: "lists of corrections",
        make: |size| {
            event(
                size,
                "<errorDeclaration><declarationTime>2026-10-05T09:30:00Z</declarationTime>",
                |_| "<correctiveEventIDs/>".into(),
                "</errorDeclaration><epcList/><action>ADD</action>",
            )
        },
    },
    Shape {
        name: "error declarations",
        make: |size| {
            events(size, |n| {
                format!(
                    "<ObjectEvent>{TIMES}<errorDeclaration><declarationTime>2026-10-05T09:30:00Z</declarationTime><a:b>{n}</a:b></errorDeclaration><epcList/><action>ADD</action></ObjectEvent>"
                )
            })
        },
    },
    Shape {
        name: "repeated error declarations",
        make: |size| {
            event(size, "<epcList/><action>ADD</action>", |_| "<errorDeclaration/>".into(), "")
        },
    },
    Shape { name: "events", make: |size| events(size, object) },
    Shape { name: "empty events", make: |size| events(size, |_| "<ObjectEvent/>".into()) },
    Shape {
        name: "events with a bad time",
        make: |size| events(size, |_| "<ObjectEvent><eventTime>x</eventTime></ObjectEvent>".into()),
    },
    Shape {
        name: "quantity events",
        make: |size| {
            events(size, |n| {
                format!(
                    "<QuantityEvent>{TIMES}<epcClass>urn:epc:class:lgtin:9521141.012345.{n}</epcClass><quantity>{n}</quantity></QuantityEvent>"
                )
            })
        },
    },
    Shape {
        name: "empty quantity events",
        make: |size| events(size, |_| "<QuantityEvent/>".into()),
    },
    Shape {
        name: "repeated fields",
        make: |size| event(size, "", |_| "<action>ADD</action>".into(), ""),
    },
    Shape { name: "wrappers side by side", make: |size| extended(size, |_| "<extension/>".into()) },
    Shape {
        name: "wrappers with extensions",
        make: |size| extended(size, |_| "<extension a:x=\"1\"><a:b/></extension>".into()),
    },
    Shape {
        name: "events in wrappers",
        make: |size| {
            events(size, |_| {
                format!("<extension><TransformationEvent>{TIMES}</TransformationEvent></extension>")
            })
        },
    },
    Shape {
        name: "typed extensions",
        make: |size| extended(size, |_| "<a:b xsi:type=\"x\">1</a:b>".into()),
    },
    Shape {
        name: "places of schemas",
        make: |size| extended(size, |_| "<a:b xsi:schemaLocation=\"x\"/>".into()),
    },
    Shape {
        name: "members of the body",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList/>"),
                |n| format!("<a:m>{n}</a:m>"),
                &format!("</EPCISBody>{TAIL}"),
            )
        },
    },
    Shape {
        name: "members of many names",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList/></EPCISBody>"),
                |n| format!("<a:m{n}/>"),
                TAIL,
            )
        },
    },
    Shape {
        name: "lists of events",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody>"),
                |_| "<EventList/>".into(),
                &format!("</EPCISBody>{TAIL}"),
            )
        },
    },
    Shape {
        name: "extensions of the document",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList/></EPCISBody>"),
                |_| "<extension/>".into(),
                TAIL,
            )
        },
    },
    Shape {
        name: "business transactions",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><bizTransactionList>",
                |n| {
                    format!(
                        "<bizTransaction type=\"urn:epcglobal:cbv:btt:po\">urn:{n}</bizTransaction>"
                    )
                },
                "</bizTransactionList>",
            )
        },
    },
    Shape {
        name: "words that are to be noted",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><bizTransactionList>",
                |n| format!("<bizTransaction type=\"cbv:BTT-po\">urn:{n}</bizTransaction>"),
                "</bizTransactionList>",
            )
        },
    },
    Shape {
        name: "sources without a type",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><sourceList>",
                |_| "<source/>".into(),
                "</sourceList>",
            )
        },
    },
    Shape {
        name: "dispositions that are set",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><persistentDisposition>",
                |n| format!("<set>urn:{n}</set>"),
                "</persistentDisposition>",
            )
        },
    },
    Shape {
        name: "instance and lot master data",
        make: |size| {
            event(
                size,
                "<epcList/><action>ADD</action><ilmd>",
                |n| format!("<a:lot>{n}</a:lot><a:use>y</a:use>"),
                "</ilmd>",
            )
        },
    },
    Shape {
        name: "names beyond ASCII",
        make: |size| extended(size, |n| format!("<a:\u{e9}{n}/>")),
    },
    Shape {
        name: "one event alone",
        make: |size| {
            fill(
                size,
                &format!("<ObjectEvent xmlns:a=\"urn:a:\">{TIMES}<epcList/><action>ADD</action>"),
                |n| format!("<a:b>{n}</a:b>"),
                "</ObjectEvent>",
            )
        },
    },
    Shape {
        name: "an end that is missing",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList><ObjectEvent>"),
                |_| "<a:b/>".into(),
                "",
            )
        },
    },
    Shape {
        name: "an end tag that is never right",
        make: |size| {
            fill(
                size,
                &format!("{HEAD}<EPCISBody><EventList><ObjectEvent>"),
                |_| "<a:b/>".into(),
                "</x>",
            )
        },
    },
    Shape {
        name: "a comment without an end",
        make: |size| fill(size, &format!("{HEAD}<!--"), |_| "x<y>&".into(), ""),
    },
    Shape {
        name: "references without an end",
        make: |size| fill(size, &format!("{HEAD}<EPCISBody>"), |_| "&".into(), ""),
    },
];
