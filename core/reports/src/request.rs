//! A request for a report.

use epcis_edge_history::follow::{ContentsRule, Direction, MAX_EVENTS, Request};
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::Value;
use epcis_edge_text::time::Timestamp;

/// The name of a report.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportName {
    /// The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii).
    Fsma204,
    /// Transaction information and transaction statement of FD&C Act 581(26) and (27).
    Dscsa,
    /// Who got items, and where they are now.
    Recall,
    /// The life of one thing.
    Passport,
    /// A comparison of what was shipped with what was received.
    Received,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ReportName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReportName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"description": "The name of a report.", "enum": Self::ALL.map(Self::text)})
    }
}

impl ReportName {
    /// All reports.
    pub const ALL: [Self; 5] =
        [Self::Fsma204, Self::Dscsa, Self::Recall, Self::Passport, Self::Received];

    fn name_and_title(self) -> (&'static str, &'static str) {
        match self {
            Self::Fsma204 => ("fsma204", "Sortable spreadsheet of traceability records (FSMA 204)"),
            Self::Dscsa => ("dscsa", "Transaction information and transaction statement (DSCSA)"),
            Self::Recall => ("recall", "Recall list"),
            Self::Passport => ("passport", "The life of a thing"),
            Self::Received => ("received", "What was shipped, and what was received"),
        }
    }

    /// The name as it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.name_and_title().0
    }

    /// The title of the report.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.name_and_title().1
    }

    /// The report with a name.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] for any other name.
    pub fn read(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|known| known.text() == name);
        found.ok_or_else(|| {
            Error::argument(
                "report",
                Some(name.to_owned()),
                "fsma204, dscsa, recall, passport or received",
            )
        })
    }

    /// The report that a path names.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchReport`] for any other name.
    pub fn in_path(name: &str) -> Result<Self, Error> {
        Self::read(name).map_err(|_| Error::new(ErrorKind::NoSuchReport { name: excerpt(name) }))
    }
}

/// What a report is about.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The events that following these items finds.
    Items(Request),
    /// All events of a time; without bounds, all events of a document.
    Events {
        /// Only events from this time on.
        from: Option<Timestamp>,
        /// Only events before this time.
        to: Option<Timestamp>,
    },
}

/// A report, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRequest {
    /// The report.
    pub name: ReportName,
    /// What it is about.
    pub scope: Scope,
}

impl ReportRequest {
    /// A report on all events of a document.
    #[must_use]
    pub fn on_all(name: ReportName) -> Self {
        let (from, to) = (None, None);
        Self { name, scope: Scope::Events { from, to } }
    }

    /// Reads a request.
    ///
    /// **Shape**: an object with the members of [`Request::read`], all optional. Without `items` the report is about all events,
    /// and only `from` and `to` may be given. Defaults that differ: up to 10,000 events; the contents of the items are followed
    /// too, except for `passport`; `recall` goes forth.
    ///
    /// # Errors
    /// As [`Request::read`]; [`ErrorKind::Argument`] if `recall` or `passport` has no `items`, or `passport` several.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_text::json::Document;
    /// use epcis_edge_reports::{ReportName, ReportRequest};
    /// let asked = Document::read(br#"{"items": "urn:epc:id:sscc:9521141.1234567890"}"#)?;
    /// assert!(ReportRequest::read(ReportName::Passport, asked.root()).is_ok());
    /// let nothing = Document::read(b"{}")?;
    /// assert!(ReportRequest::read(ReportName::Fsma204, nothing.root()).is_ok());
    /// assert!(ReportRequest::read(ReportName::Recall, nothing.root()).is_err());
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    pub fn read(name: ReportName, asked: Value<'_>) -> Result<Self, Error> {
        Self::read_beside(name, asked, &[])
    }

    /// As [`read`](Self::read); members with other names may stand beside.
    pub fn read_beside(name: ReportName, asked: Value<'_>, others: &[&str]) -> Result<Self, Error> {
        let needs_items = matches!(name, ReportName::Recall | ReportName::Passport);
        if asked.get("items").is_none() && !needs_items {
            let (from, to) = Request::read_span(asked, others)?;
            let scope = Scope::Events { from, to };
            return Ok(Self { name, scope });
        }
        let mut request = Request::read_beside(asked, others)?;
        let is_given = |member: &str| asked.get(member).is_some();
        if !is_given("maxEvents") {
            request.max_events = MAX_EVENTS;
        }
        if name == ReportName::Recall && !is_given("direction") && !is_given("kin") {
            request.direction = Direction::Forth;
        }
        // A request about a pallet includes the goods on it.
        if name != ReportName::Passport && !is_given("contents") {
            request.contents = ContentsRule::Followed;
        }
        if name == ReportName::Passport && (request.items.len() != 1 || request.has_class()) {
            let found = asked.get("items").map(|items| excerpt(items.source()));
            return Err(Error::argument(
                "items",
                found,
                "one thing: an instance, a lot, or a URI of your own",
            ));
        }
        let scope = Scope::Items(request);
        Ok(Self { name, scope })
    }
}
