//! The built-in types of XML Schema.

/// The notation of the values of a simple type: one for each built-in type with a rule of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexical {
    /// `xsd:anyURI`.
    AnyUri,
    /// `xsd:base64Binary`.
    Base64Binary,
    /// `xsd:boolean`.
    Boolean,
    /// `xsd:date`.
    Date,
    /// `xsd:dateTime`.
    DateTime,
    /// `xsd:dateTime` with the pattern of EPCIS 2.0: four digits of the year, a zone of at most 14 hours, no hour 24.
    DateTimeStamp,
    /// `xsd:gDay`.
    Day,
    /// `xsd:decimal`.
    Decimal,
    /// `xsd:double`.
    Double,
    /// `xsd:duration`.
    Duration,
    /// `xsd:hexBinary`.
    HexBinary,
    /// `xsd:integer`, and what has only one of its ends, from the first number or up to the second.
    Integer(Option<i8>, Option<i8>),
    /// `xsd:language`.
    Language,
    /// `xsd:gMonth`.
    Month,
    /// `xsd:gMonthDay`.
    MonthDay,
    /// `xsd:Name`.
    Name,
    /// `xsd:NMTOKEN`.
    NameToken,
    /// `xsd:NMTOKENS`.
    NameTokens,
    /// `xsd:NOTATION`, and `xsd:ENTITY` likewise: no text is a value, since no schema of EPCIS declares one.
    Notation,
    /// `xsd:NCName`.
    PlainName,
    /// `xsd:IDREFS`.
    PlainNames,
    /// `xsd:QName`.
    QualifiedName,
    /// `xsd:short` and others: integers of so many bits.
    Signed(u32),
    /// Any text, with blanks kept as they are.
    Text,
    /// `xsd:time`.
    Time,
    /// Any text, in which a run of blanks counts as one.
    Token,
    /// `xsd:unsignedShort` and others: integers from 0 on, of so many bits.
    Unsigned(u32),
    /// `xsd:gYear`.
    Year,
    /// `xsd:gYearMonth`.
    YearMonth,
}

/// The built-in types except `xsd:anyType`, each after its base: name, base, notation.
///
/// **Source**: XML Schema 1.0, part 2, chapter 3.
pub const BUILTIN: [(&str, &str, Lexical); 45] = {
    use Lexical as L;
    [
        ("anySimpleType", "anyType", L::Text),
        ("string", "anySimpleType", L::Text),
        ("normalizedString", "string", L::Text),
        ("token", "normalizedString", L::Token),
        ("language", "token", L::Language),
        ("NMTOKEN", "token", L::NameToken),
        ("NMTOKENS", "anySimpleType", L::NameTokens),
        ("Name", "token", L::Name),
        ("NCName", "Name", L::PlainName),
        ("ID", "NCName", L::PlainName),
        ("IDREF", "NCName", L::PlainName),
        ("IDREFS", "anySimpleType", L::PlainNames),
        ("ENTITY", "NCName", L::Notation),
        ("ENTITIES", "anySimpleType", L::Notation),
        ("boolean", "anySimpleType", L::Boolean),
        ("decimal", "anySimpleType", L::Decimal),
        ("integer", "decimal", L::Integer(None, None)),
        ("nonPositiveInteger", "integer", L::Integer(None, Some(0))),
        ("negativeInteger", "nonPositiveInteger", L::Integer(None, Some(-1))),
        ("long", "integer", L::Signed(64)),
        ("int", "long", L::Signed(32)),
        ("short", "int", L::Signed(16)),
        ("byte", "short", L::Signed(8)),
        ("nonNegativeInteger", "integer", L::Integer(Some(0), None)),
        ("unsignedLong", "nonNegativeInteger", L::Unsigned(64)),
        ("unsignedInt", "unsignedLong", L::Unsigned(32)),
        ("unsignedShort", "unsignedInt", L::Unsigned(16)),
        ("unsignedByte", "unsignedShort", L::Unsigned(8)),
        ("positiveInteger", "nonNegativeInteger", L::Integer(Some(1), None)),
        ("float", "anySimpleType", L::Double),
        ("double", "anySimpleType", L::Double),
        ("duration", "anySimpleType", L::Duration),
        ("dateTime", "anySimpleType", L::DateTime),
        ("time", "anySimpleType", L::Time),
        ("date", "anySimpleType", L::Date),
        ("gYearMonth", "anySimpleType", L::YearMonth),
        ("gYear", "anySimpleType", L::Year),
        ("gMonthDay", "anySimpleType", L::MonthDay),
        ("gDay", "anySimpleType", L::Day),
        ("gMonth", "anySimpleType", L::Month),
        ("hexBinary", "anySimpleType", L::HexBinary),
        ("base64Binary", "anySimpleType", L::Base64Binary),
        ("anyURI", "anySimpleType", L::AnyUri),
        ("QName", "anySimpleType", L::QualifiedName),
        ("NOTATION", "anySimpleType", L::Notation),
    ]
};
