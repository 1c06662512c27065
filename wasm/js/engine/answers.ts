// What the engine answers: made of its types by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it served::`.

/** The result of an audit. */
export type Audit = {
  /** The origin of the log. */
  readonly origin: string;
  /** The number of leaves of the previous head, if there is one. */
  readonly oldSize: number | null;
  /** The number of leaves of the new head. */
  readonly size: number;
  /** The number of trusted witnesses that have cosigned the head. */
  readonly witnesses: number;
  /** These witnesses, with the time at which each says it saw the head. */
  readonly cosignatures: readonly LastCosigned[];
};

/**
 * The fate of a value on a lossy path.
 *
 * `kept`: The whole value is in the output, as an extension or in another form.
 *
 * `annotation`: Only a statement of the value's type is missing; the value itself is in the output.
 *
 * `lost`: The value is not in the output, or is changed.
 */
export type Became = 'kept' | 'annotation' | 'lost';

/** The event from which on it was inside. */
export type Began = {
  readonly eventID?: string;
  readonly at?: string;
  readonly observed?: true;
};

/** One finding of a rule. */
export type CheckFinding = {
  /** The name of the pack, `/`, and the name of the rule. */
  readonly rule: string;
  /** How serious it is. */
  readonly severity: Severity;
  /** The message of the rule. For a wrong check digit it says which key has it, and which digit it should be. */
  readonly message: string;
  /**
   * The value at fault as it is written, cut to 100 characters, with numbers such as `U+2010` for those that only look like ASCII or cannot be
   * seen; none for an object or a list.
   */
  readonly found?: string;
  /**
   * In JSON, the JSON Pointer (RFC 6901) of the innermost value that was being read; in XML, the path of the innermost open element. `""` is the
   * root.
   */
  readonly path: string;
  /** Line, counted from 1. */
  readonly line: number;
  /** Column in bytes of UTF-8, counted from 1. */
  readonly column: number;
  /** For XML, the JSON Pointer into the translation. */
  readonly pointer?: string;
  /** A related place, such as the earlier event that has the same name. */
  readonly related?: Place;
};

/** The result of checking a document. */
export type CheckReport = {
  /** The names of the packs that were applied: those for other documents are not among them. */
  readonly packs: readonly string[];
  /** How many events were checked. */
  readonly events: number;
  /** How many findings there are of each severity. */
  readonly counts: Counts;
  /** The rules that found something, in the order of their packs. */
  readonly rules: readonly FoundRule[];
  /** The findings in document order, at most 1,000. */
  readonly findings: readonly CheckFinding[];
  /** The packs that are for other documents than this one; none of their rules was applied. */
  readonly notApplicable?: readonly NotApplicable[];
  /** The releases that the document follows, one for each pack that has releases. */
  readonly releases?: readonly FollowedRelease[];
};

/** What was inside of an item. */
export type Content = {
  readonly container: string;
  readonly item: string;
  /** The containers between, from the outermost to the innermost. */
  readonly through: readonly string[];
  readonly from: Began;
  /** Absent if it is still inside. */
  readonly to?: Ended;
  readonly quantity?: FollowedQuantity;
  readonly certain: boolean;
};

/** A witness that has cosigned. */
export type Cosigned = {
  /** The name of the witness in the policy. */
  readonly name: string;
  /** The time at which it says it saw the checkpoint; the earliest, if it cosigned several times. */
  readonly time: string;
  /** The reason why that time cannot be right; absent if it is plausible. */
  readonly doubt?: string;
};

/** How many findings there are, listed or not. */
export type Counts = {
  /** Of severity `error`. */
  readonly error: number;
  /** Of severity `warning`. */
  readonly warning: number;
  /** Of severity `hint`. */
  readonly hint: number;
};

/** A member of an event that can be chosen for a disclosure. */
export type DisclosableField = {
  /** The name of the member. */
  readonly name: string;
  /** The JSON Pointer to the member. */
  readonly pointer: string;
  /** The number of its fields: the number of entries for a list that is not empty, otherwise 1. */
  readonly count: number;
  /** Whether it may be shown: its name and value contain no possible hash of the event. */
  readonly canBeShown: boolean;
};

/** One step of a verification. */
export type DisclosureStep = {
  /** What is verified. */
  readonly step: 'disclosure' | 'fields' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  /** Whether it holds. */
  readonly holds: boolean;
  /** The result in words, or what was found and what was expected. */
  readonly detail: string;
};

/** The verdict on a disclosure. */
export type DisclosureVerdict = {
  /** Whether every step holds. */
  readonly valid: boolean;
  /** The steps, in the order in which they were checked. */
  readonly steps: readonly DisclosureStep[];
  /** The origin of the log that the checkpoint is for. */
  readonly origin: string | null;
  /** The index of the event's leaf, counted from 0. */
  readonly index: number | null;
  /** The number of leaves under the checkpoint. */
  readonly size: number | null;
  /**
   * The moment before which the event was recorded: the earliest second by which a quorum of trusted witnesses had cosigned, rounded up. If the
   * policy requires no quorum, it is the time of one witness. `null` if no trusted witness cosigned, if the times cannot be right, or if a step
   * fails.
   */
  readonly loggedBefore: string | null;
  /** The witnesses that vouch for that time. */
  readonly loggedBeforeBy: readonly string[];
  /** The trusted witnesses that have cosigned. */
  readonly cosignatures: readonly Cosigned[];
  /** The shown fields, in the order of the event. Empty if a step fails, because nothing is proved then. */
  readonly fields: readonly ShownField[];
  /** The number of fields that are not shown. `null`, like the next three values, if a step fails. */
  readonly withheld: number | null;
  /** The time at which the event was recorded, as stated by the gateway. */
  readonly recordTime: string | null;
  /** The attested observer. */
  readonly who: string | null;
  /** The account that warrants the event. */
  readonly capturedBy: string | null;
};

/** The event that took it out. */
export type Ended = {
  readonly eventID?: string;
  readonly at?: string;
  readonly implied?: true;
};

/** An event hash: a URI of the form `ni:///sha-256;<64 hexadecimal digits>?ver=CBV2.0`. */
export type EventHash = `ni:///sha-256;${string}?ver=${'CBV2.0' | 'CBV2.1'}`;

/** An event by name and time. */
export type EventName = {
  readonly eventID?: string;
  readonly at?: string;
};

/** An exception report, in the words of its schema. */
export type ExceptionReport = {
  readonly message_uuid: string;
  /** The same for each report about this document. */
  readonly exception_case_uuid: string;
  /** When it was made, in seconds since 1970. */
  readonly timestamp: number;
  readonly po_number: string;
  readonly sender_information: SenderInformation;
  readonly exceptions: Exceptions;
  /** What the schema has no place for, a sentence for each rule. */
  readonly other_errors?: readonly string[];
  readonly case_resolved: boolean;
};

/** What is wrong, by the places of the schema. */
export type Exceptions = {
  /** Items that were shipped, and of which the document tells nothing else. */
  readonly missing_product_data?: readonly MissingProduct[];
  /** Products, places and parties whose master data are missing or wrong. */
  readonly master_data_errors?: MasterDataErrors;
};

/** A proof that fails. */
export type FailedProof = {
  /** The location of the proof in the file: a JSON Pointer. */
  readonly path: string;
  /** The `eventID` of the event. */
  readonly eventID?: string;
  /** The step that fails: `proof`, `event` or `inclusion`. */
  readonly step: 'proof' | 'event' | 'inclusion';
  /** What was found and what was expected. */
  readonly detail: string;
};

/** A remark on one place of the source. */
export type FidelityNote = {
  /** The place: a path into the source XML, or a JSON Pointer on the way back; `/` is the whole document. */
  readonly path: string;
  /** What happened at the place: one word from a fixed list. */
  readonly code: string;
  /** The source text, if the output does not have it; elements, and texts longer than 256 KiB, are cut at 400 characters. */
  readonly value?: string;
  /** The code as a sentence. */
  readonly text: string;
  /** What became of a value that a round trip does not restore; absent if it is restored. */
  readonly became?: Became;
};

/** What a round trip does not restore of the source: the members that a report is written with. */
export type FidelityReport = {
  /** Whether a round trip restores the whole source. */
  readonly roundTripClean: boolean;
  /**
   * Paths into the source XML, in document order. If the report is cut, the last entry is no path but `and N more`: the header
   * `Spine-Translation-Lossy-Paths` counts all.
   */
  readonly lossyPaths: readonly string[];
  /** One line for each note: code, path, text. */
  readonly notes: string;
  readonly noteList: readonly FidelityNote[];
  /** How many lossy paths there are, by what became of their values. */
  readonly losses: Losses;
  /** The losses in a sentence. */
  readonly summary: string;
};

/** What happened to items. */
export type Followed = {
  /** `EMPTY` if nothing names the items. */
  readonly type: 'OK' | 'EMPTY';
  readonly items: readonly string[];
  readonly direction: 'back' | 'forth' | 'both';
  /** In the order of time, each once. */
  readonly events: readonly FollowedEvent[];
  readonly contents: readonly Content[];
  readonly ties: readonly Tie[];
  readonly things: readonly Thing[];
  readonly incomplete: readonly Gap[];
  /** The places of the events that do not count, because the document has the same event before them: the same `eventID` and content. */
  readonly repeated?: readonly number[];
};

/** What an error declaration says. */
export type FollowedDeclaration = {
  readonly at?: string;
  readonly reason?: string;
  readonly correctiveEventIDs: readonly string[];
};

/** An event of the answer. */
export type FollowedEvent = {
  /** Its place in the document, from 0. */
  readonly index: number;
  readonly eventID?: string;
  readonly eventTime?: string;
  /** The event itself. */
  readonly event: any;
  /** Whether it counts for nothing: an error declaration withdraws it. */
  readonly withdrawn: boolean;
  /** The error declaration that withdraws it. */
  readonly declaration?: FollowedDeclaration;
  /** An error declaration by an account that has no such event. */
  readonly disputed?: FollowedDeclaration;
  readonly presences: readonly Presence[];
};

/** A quantity. */
export type FollowedQuantity = {
  readonly quantity: number;
  readonly uom?: string;
};

/** The release that a document follows, of the source that a pack is made from. */
export type FollowedRelease = {
  /** The name of the pack. */
  readonly pack: string;
  /** The name of the release. */
  readonly release: string;
};

/** A rule that found something. */
export type FoundRule = {
  /** The name of its pack, `/`, and its own. */
  readonly rule: string;
  /** How serious its findings are. */
  readonly severity: Severity;
  /** The message of the rule. */
  readonly message: string;
  /** Where the rule comes from. */
  readonly source: RuleSource;
  /** How many findings it has, listed or not. */
  readonly count: number;
};

/** The allowed characters of a text, and its maximum length in characters. */
export type GS1Characters = {
  /** The most characters. */
  longest: number;
  /**
   * The character set. `any`: the 82 characters of application identifiers; `part`: the 39 of component parts; `digits`; `number`: digits without
   * leading zeros.
   */
  characters: 'any' | 'part' | 'digits' | 'number';
};

/** A GS1 key, and what may follow it. */
export type GS1Key = {
  /** The application identifier, such as `01`. */
  ai: string;
  /** The name at GS1, such as `GTIN`. */
  name: string;
  /** What distinguishes it from another key of that name, such as `of a party`. */
  whose?: string;
  /** The possible numbers of digits, the check digit included. */
  digits: number[];
  /** A zero that precedes these digits in a Digital Link and an element string. */
  filler?: string;
  /** Whether a piece number and the total of pieces follow, two digits each. */
  hasPieces?: boolean;
  /** The characters of a free text key, company prefix and reference together. */
  text?: GS1Characters;
  /** The serial directly after the key. */
  serial?: GS1Characters;
  /** The qualifiers that may follow in a Digital Link, in this order. */
  qualifiers?: GS1Qualifier[];
};

/** A qualifier that may follow a key. */
export type GS1Qualifier = {
  /** The application identifier. */
  ai: string;
  /** The name at GS1. */
  name: string;
  /** The most characters. */
  longest: number;
  /**
   * The character set. `any`: the 82 characters of application identifiers; `part`: the 39 of component parts; `digits`; `number`: digits without
   * leading zeros.
   */
  characters: 'any' | 'part' | 'digits' | 'number';
};

/** What is missing from an answer. */
export type Gap = {
  readonly reason: 'maxEvents' | 'depth' | 'time' | 'size';
  /** The first 100 things that were not followed to the end. */
  readonly at: readonly string[];
  /** Their number. */
  readonly total: number;
};

/** A place or party with wrong or missing master data. */
export type GlnError = {
  readonly exception_item_uuid: string;
  readonly invalid_gln: string;
  readonly resolution_request: string;
};

/** A product with wrong or missing master data. */
export type GtinError = {
  readonly exception_item_uuid: string;
  readonly invalid_gtin: string;
  readonly resolution_request: string;
};

/** A pack of checks of an industry or a trading partner. */
export type IndustryPack = 'fsma204' | 'walmart' | 'serialised-medicine' | 'dscsa' | 'gdst';

/** A witness that has cosigned a head. */
export type LastCosigned = {
  /** The name of the witness in the policy. */
  readonly name: string;
  /**
   * The time at which it says it saw the head; the latest, if it cosigned several times. Times after the year 9999 become the last moment of that
   * year.
   */
  readonly time: string;
};

/** The number of lossy paths, by what became of their values. */
export type Losses = {
  /** Whole values that are in the output, as an extension or in another form. */
  readonly kept: number;
  /** Values whose type is no longer stated. */
  readonly annotation: number;
  /** Values that are not in the output, or are changed. */
  readonly lost: number;
};

/** Wrong or missing master data. */
export type MasterDataErrors = {
  readonly gln_errors?: readonly GlnError[];
  readonly gtin_errors?: readonly GtinError[];
};

/** An item without data. */
export type MissingProduct = {
  readonly exception_item_uuid: string;
  readonly product_gtin: string;
  readonly observation_source: string;
  readonly resolution_request: string;
  readonly product_serial: string;
};

/** A pack that is for other documents. */
export type NotApplicable = {
  /** The name of the pack. */
  readonly pack: string;
  /** The message of the pack about such documents. */
  readonly message: string;
};

/**
 * Whether anything was found.
 *
 * `OK`: The tables have rows.
 *
 * `EMPTY`: No event has anything for the tables.
 */
export type Outcome = 'OK' | 'EMPTY';

/** A pack of checks. The first three run by default, the others are those of industries and trading partners. */
export type PackName = 'identifiers' | 'consistency' | 'cbv' | 'fsma204' | 'walmart' | 'serialised-medicine' | 'dscsa' | 'gdst';

/** A place in a document. */
export type Place = {
  /**
   * In JSON, the JSON Pointer (RFC 6901) of the innermost value that was being read; in XML, the path of the innermost open element. `""` is the
   * root.
   */
  readonly path: string;
  /** Line, counted from 1. */
  readonly line: number;
  /** Column in bytes of UTF-8, counted from 1. */
  readonly column: number;
};

/** A piece of a pre-hash string. */
export type PreHashPiece = {
  /** The field of the piece: the standard's name, or `{namespace}local` for an extension. A field may have several pieces. */
  readonly field: string;
  readonly text: string;
};

/** An event hash with its pre-hash string, of which it is the digest. */
export type PreHashed = {
  readonly hash: EventHash;
  readonly preHash: string;
  /** The pieces of the string, by field, if requested. Concatenated they are the string. */
  readonly pieces?: readonly PreHashPiece[];
};

/** How a thing is present in an event. */
export type Presence = {
  /** The thing, as canonical GS1 Digital Link where it has one. */
  readonly item: string;
  readonly how: 'named' | 'inside' | 'input' | 'output';
  /** The field that names it, or names the container that it is inside of. */
  readonly role: string;
  /** The containers, from the one that is named to the innermost. */
  readonly through?: readonly string[];
  /** `false` where the way to it leads through a lot that was divided. */
  readonly certain: boolean;
  /** Set if the thing was used up or deleted before. */
  readonly afterEnd?: true;
};

/**
 * An RFC 7807 problem document: a refusal as every interface shows it.
 *
 * Callers match on `type`, never on prose.
 */
export type Problem = {
  readonly type: `epcisException:${string}`;
  /** The exception in a few words, the same for every problem of one kind. */
  readonly title: string;
  /** The HTTP status with which the gateway answers. */
  readonly status: number;
  /** What was found and what was expected. */
  readonly detail?: string;
  /** Extension member: the place in the document, if there is one. */
  readonly location?: Place;
  /** The schema errors, in document order. */
  readonly errors?: readonly TranslationError[];
  /** The fidelity report of the translation. */
  readonly fidelityReport?: FidelityReport;
  /** The verdict of the XML schema on the source, if it was validated. */
  readonly sourceVerdict?: XmlVerdict;
};

/**
 * A version of the event hash algorithm. Published tools disagree, so there are three.
 *
 * `CBV2.0`, the default, follows the ratified standard. `CBV2.1` follows the draft of its successor. `REF2025` computes what the reference
 * implementation of 2025 does, and the tools based on it.
 */
export type Profile = 'CBV2.0' | 'CBV2.1' | 'REF2025';

/** One step of a verification. */
export type ProofStep = {
  /** What is verified. */
  readonly step: 'proof' | 'event' | 'leaf' | 'log' | 'witnesses' | 'inclusion';
  /** Whether it holds. */
  readonly holds: boolean;
  /** The result in words, or what was found and what was expected. */
  readonly detail: string;
};

/** The verdict on a proof. */
export type ProofVerdict = {
  /** Whether every step holds. */
  readonly valid: boolean;
  /** The steps, in the order in which they were checked. */
  readonly steps: readonly ProofStep[];
  /** The origin of the log that the checkpoint is for. */
  readonly origin: string | null;
  /** The event that the proof is about, if the file contains it. */
  readonly event?: ProvedEvent;
  /** The index of the event's leaf, counted from 0. */
  readonly index: number | null;
  /** The number of leaves under the checkpoint. */
  readonly size: number | null;
  /**
   * The moment before which the event was recorded: the earliest second by which a quorum of trusted witnesses had cosigned, rounded up. If the
   * policy requires no quorum, it is the time of one witness. `null` if no trusted witness cosigned, if the times cannot be right, or if a step
   * fails.
   */
  readonly loggedBefore: string | null;
  /** The witnesses that vouch for that time. */
  readonly loggedBeforeBy: readonly string[];
  /** The trusted witnesses that have cosigned. */
  readonly cosignatures: readonly Cosigned[];
};

/** One step of a verification. */
export type ProofsStep = {
  /** What is verified. */
  readonly step: 'proofs' | 'log' | 'witnesses';
  /** Whether it holds. */
  readonly holds: boolean;
  /** The result in words, or what was found and what was expected. */
  readonly detail: string;
};

/** The verdict on a file of proofs. */
export type ProofsVerdict = {
  /** Whether the head and every proof under it are valid. */
  readonly valid: boolean;
  /** The steps for the head: `proofs` (the file can be read), `log` and `witnesses`, as for one proof. */
  readonly steps: readonly ProofsStep[];
  /** The number of proofs. */
  readonly count: number;
  /** The number of valid proofs; 0 if a step for the head fails. */
  readonly proved: number;
  /** The first 100 proofs that fail. */
  readonly failed: readonly FailedProof[];
  /** The number of events in the file without a proof: not logged yet, or with an erased salt. */
  readonly unproved: number;
  /** The origin of the log that the checkpoint is for. */
  readonly origin: string | null;
  /** The number of leaves under the checkpoint. */
  readonly size: number | null;
  /** The moment before which all events were recorded, as for one proof. */
  readonly loggedBefore: string | null;
  /** The witnesses that vouch for that time. */
  readonly loggedBeforeBy: readonly string[];
  /** The trusted witnesses that have cosigned. */
  readonly cosignatures: readonly Cosigned[];
};

/** The content of an error declaration. */
export type ProvedDeclaration = {
  /** The reason why the event is wrong, as a word of the CBV such as `did_not_occur`; absent if none is given. */
  readonly reason?: string;
  /** The time of the declaration. */
  readonly declarationTime?: string;
};

/** The summary of a proved event. */
export type ProvedEvent = {
  /** The location of the event in the file: a JSON Pointer, empty if the event is the whole file. */
  readonly path: string;
  /** Its `type`. */
  readonly type: string;
  /** Its `eventID`. */
  readonly eventID: string;
  /** The first object that the event names: the parent's EPC or the first EPC of a list, otherwise the first class of objects. */
  readonly epc?: string;
  /** The error declaration, if there is one. Such an event says that an earlier record was wrong, not that something happened. */
  readonly errorDeclaration?: ProvedDeclaration;
};

/** A document with its repairs. */
export type Repair = {
  /** The document as it should be; the given one, if nothing was to repair. */
  readonly text: string;
  /** How many places were changed. */
  readonly count: number;
  /** The changes in document order, at most 1,000. */
  readonly changes: readonly RepairChange[];
};

/** One change. Adjacent characters are one change, and so is a value. */
export type RepairChange = {
  /** Line in the given document, counted from 1. */
  readonly line: number;
  /** Column in UTF-16 code units, as editors count, from 1. */
  readonly column: number;
  /** Where it begins in the given document, in UTF-16 code units. */
  readonly from: number;
  /** Where it ends there. */
  readonly to: number;
  /** What was found, with numbers such as `U+2010` for what cannot be told by looking, cut to 100 characters. */
  readonly found: string;
  /** What was written in its place, in full. */
  readonly written: string;
  /** Why it was changed. */
  readonly reason: RepairReason;
};

/**
 * Why a place was changed.
 *
 * `look-alike`: Characters that only look right.
 *
 * `no-zone`: `eventTime` or `declarationTime` without a zone.
 */
export type RepairReason = 'look-alike' | 'no-zone';

/** A report. */
export type Report = {
  /** Whether anything was found. */
  readonly type: Outcome;
  /** The name of the report. */
  readonly report: ReportName;
  /** When it was made. */
  readonly made: string;
  /** The items of the request; empty if it is about all events. */
  readonly asked: readonly string[];
  /** Only events from this time on. */
  readonly from?: string;
  /** Only events before this time. */
  readonly to?: string;
  /** The tables, in order. The last is `About`. */
  readonly sheets: readonly ReportSheet[];
  /** The data that the report could not see, because a bound was met: a sentence each. Empty if it saw everything. */
  readonly gaps: readonly string[];
};

/** A column of a table. */
export type ReportColumn = {
  /** A name for programs. */
  readonly id: string;
  /** A name for people. */
  readonly title: string;
  /** Where it comes from: the paragraph of a law. */
  readonly source?: string;
};

/** The name of a report. */
export type ReportName = 'fsma204' | 'dscsa' | 'recall' | 'passport' | 'received';

/** A table. */
export type ReportSheet = {
  /** Its name. */
  readonly name: string;
  /** The columns, in order. */
  readonly columns: readonly ReportColumn[];
  /** The rows, each with a cell for every column. An unknown value is an empty text. */
  readonly rows: readonly (readonly string[])[];
};

/** Where a rule comes from. */
export type RuleSource = {
  /** The document, with its version. */
  readonly document: string;
  /** The clause of the document, if one is named. */
  readonly clause?: string;
};

/** One thing that the schema does not accept: one cause, one entry. */
export type SchemaError = {
  /** The JSON Pointer (RFC 6901) to the value at fault; `""` is the root. */
  readonly path: string;
  /** The schema keyword that failed there. */
  readonly keyword: string;
  /** What was found and what was expected, for a person. */
  readonly message: string;
  /** The line in the text where the value begins, counted from 1; absent if the judged JSON was made from XML. */
  readonly line?: number;
  /** Its column in bytes of UTF-8, counted from 1. */
  readonly column?: number;
};

/** The schema that a verdict is against. */
export type SchemaPin = {
  /** The file name under which the standards body publishes it. */
  readonly artefact: 'epcis-json-schema.json';
  /** Its version. */
  readonly version: '2.0.1';
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** The engine that judged: `compiled` is the one that reads no schema, any other gives a second opinion. */
  readonly engine: string;
};

/** Who sends an exception report. */
export type SenderInformation = {
  readonly gln?: string;
  readonly email: string;
  readonly phone?: string;
};

/**
 * How serious a finding is.
 *
 * `error`: The data cannot be right.
 *
 * `warning`: The data can hardly be right.
 *
 * `hint`: The data can be right, and is worth a look.
 */
export type Severity = 'error' | 'warning' | 'hint';

/** A field that a disclosure shows. */
export type ShownField = {
  /** The JSON Pointer to the member, or to the entry of a list. */
  readonly pointer: string;
  /** The value as JSON text in canonical form; numbers have the digits of the event. */
  readonly value: string;
};

/** A thing, and what is known of it. */
export type Thing = {
  readonly id: string;
  /** As it was first written. */
  readonly spelling: string;
  /** `sgtin`, `lgtin`, `gtin`, `sscc` and so on; `class` or `uri` for any other identifier. */
  readonly kind: string;
  readonly began?: EventName;
  readonly ended?: EventName;
  /** Where it was last; if not `certain`, it is a divided lot, of which other parts may be elsewhere. */
  readonly at?: Whereabouts;
};

/** A tie between two things. */
export type Tie = {
  readonly from: string;
  readonly to: string;
  readonly kind: 'packed' | 'unpacked' | 'made' | 'associated';
  readonly eventID?: string;
  readonly at?: string;
  readonly quantity?: FollowedQuantity;
};

/** A schema error of a translation, with its place in the source. */
export type TranslationError = {
  /** The JSON Pointer (RFC 6901) to the value at fault; `""` is the root. */
  readonly path: string;
  /** The schema keyword that failed there. */
  readonly keyword: string;
  /** What was found and what was expected, for a person. */
  readonly message: string;
  /** The line in the text where the value begins, counted from 1; absent if the judged JSON was made from XML. */
  readonly line?: number;
  /** Its column in bytes of UTF-8, counted from 1. */
  readonly column?: number;
  /** The element that the value was made from: its XML path, line and column. */
  readonly source: Place;
};

/** What is told of a translation beside its document. */
export type TranslationFacts = {
  /** What a round trip does not restore of the source. */
  readonly fidelityReport: FidelityReport;
  /** The number of events translated. */
  readonly meteredEvents: number;
  /** The version of the source. */
  readonly sourceSchemaVersion: '1.0' | '1.1' | '1.2' | '2.0';
  /** The verdict of the official XML schema on the source. The source is translated even if it is not valid. */
  readonly sourceVerdict: XmlVerdict;
};

/** A pack of checks that runs by default. */
export type UsualPack = 'identifiers' | 'consistency' | 'cbv';

/** The verdict of the official schema on a document. */
export type Verdict = {
  /** Whether the official schema accepts the document. */
  readonly valid: boolean;
  /** The schema that was used. */
  readonly schema: SchemaPin;
  /** The errors in document order, at most 1,000; empty when valid. If there are more, the last one says how many there are from it on. */
  readonly errors: readonly SchemaError[];
};

/** The result of recomputing the `eventID` of an event. */
export type Verification = {
  /** Whether the `eventID` matches. `not-hash-form`: the event has no `eventID`, or one that is not an event hash. */
  readonly result: 'matches' | 'matches-none' | 'not-hash-form';
  /** The profiles under which the `eventID` is the hash of its event; empty unless `result` is `matches`. */
  readonly profiles: readonly Profile[];
  /**
   * Present if the `eventID` is the hash of the event without its members in a namespace that ends in `/ns/spine/`. It was made before a gateway
   * added who captured the event.
   */
  readonly reading?: 'without the stamps of a gateway';
};

/** Where a thing was last. */
export type Whereabouts = {
  readonly place?: string;
  readonly inside?: string;
  readonly disposition?: string;
  readonly since?: string;
  /** `false` for a divided lot: other parts of it may be elsewhere. */
  readonly certain: boolean;
};

/** The values of the JSON that the XML does not restore. */
export type XmlReport = {
  /**
   * Whether nothing is lost: the XML has every value, gives the same event hashes under every profile, and is valid by the XML schema if the
   * source is valid by the JSON schema. This is measured, not assumed.
   */
  readonly clean: boolean;
  /** The JSON Pointers of the values lost in a round trip. */
  readonly lossyPointers: readonly string[];
  readonly noteList: readonly FidelityNote[];
  readonly losses: Losses;
  /** The losses in a sentence. */
  readonly summary: string;
};

/** One thing that an XML schema does not accept: one cause, one entry. */
export type XmlSchemaError = {
  /**
   * The path of the element or attribute at fault, with names as written, and elements of one name counted from 1:
   * `/epcis:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[2]/action[1]`.
   */
  readonly path: string;
  /** The line of the element, counted from 1. */
  readonly line: number;
  /** Its column in bytes of UTF-8, counted from 1. */
  readonly column: number;
  /** The rule of XML Schema that failed there, by its name in the standard: `cvc-complex-type.2.4` for an element that is not expected. */
  readonly keyword: string;
  /** What was found and what was expected, for a person. */
  readonly message: string;
};

/** The XML schema that a verdict is against. */
export type XmlSchemaPin = {
  /** The file name under which the standards body publishes it. */
  readonly artefact: string;
  /** The EPCIS version of the schema; that of 1.2 also judges 1.0 and 1.1. */
  readonly version: '1.2' | '2.0';
  /** Its target namespace. */
  readonly namespace: string;
};

/** A document translated to XML. */
export type XmlTranslation = {
  /** The XML document, UTF-8 with its declaration. */
  readonly document: string;
  /** The number of events translated. */
  readonly meteredEvents: number;
  /** The report of the JSON values that the XML does not restore. */
  readonly report: XmlReport;
};

/** The verdict of an official XML schema on a document. */
export type XmlVerdict = {
  /** Whether the schema accepts the document. */
  readonly valid: boolean;
  /** The schema that was used. */
  readonly schema: XmlSchemaPin;
  /**
   * The errors in the order in which a reader finds them, at most 1,000; empty when valid. If there are more, the last one says how many from it
   * on.
   */
  readonly errors: readonly XmlSchemaError[];
};

export const PACKS: readonly PackName[] = ['identifiers', 'consistency', 'cbv', 'fsma204', 'walmart', 'serialised-medicine', 'dscsa', 'gdst'];

export const USUAL_PACKS: readonly UsualPack[] = ['identifiers', 'consistency', 'cbv'];

export const PROFILES: readonly Profile[] = ['CBV2.0', 'CBV2.1', 'REF2025'];

export const REPORTS: readonly ReportName[] = ['fsma204', 'dscsa', 'recall', 'passport', 'received'];

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'hint'];
