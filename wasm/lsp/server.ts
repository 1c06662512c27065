// The language server: the protocol's side, which never reads a document itself. A thread of its own does (`judge.js`).
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  ErrorCodes,
  type Hover,
  type HoverParams,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  MarkupKind,
  MessageType,
  type Range,
  ResponseError,
  ShowMessageNotification,
  type SymbolInformation,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isLikeEpcis } from '../document/detect.ts';
import type { Range as Places } from '../document/text-lines.ts';
import { decoded } from '../document/words.ts';
import { actionsFor, FIX_ALL } from './actions.ts';
import type { Answers, Questions } from './judge.ts';
import { Judging, Stopped, type Thread } from './judging.ts';
import type { Diagnosed, Diagnosis, Fix } from './opened.ts';
import { optionsOf, SECTION, type Settings, settingsOf } from './settings.ts';
import { written } from './written.ts';

/** The longest document that is read, in bytes of UTF-8. */
export const LONGEST = 16 * 1024 * 1024;
/** How long a document must be unchanged before it is judged, in milliseconds. */
const PAUSE = 200;

const SEVERITIES = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning, hint: DiagnosticSeverity.Hint };

interface Listening {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Starts the thread that runs `judge.ts`. */
  startJudge(): Thread;
  /** The version of the package. */
  readonly version: string;
  /** How long a document must be unchanged before it is judged, in milliseconds. */
  readonly pause?: number;
}

/** What a client can show. */
interface Client {
  readonly hasMarkdown: boolean;
  readonly hasTrees: boolean;
  readonly hasVersions: boolean;
  readonly hasLinks: boolean;
  readonly hasRelated: boolean;
}

/** What is known of an open document. */
interface State {
  timer?: NodeJS.Timeout;
  diagnosed?: { readonly version: number; readonly diagnostics: readonly Diagnostic[]; readonly fixes: readonly Fix[] } | undefined;
  /** Whether the user was told why it has no diagnostics. */
  isTold?: boolean;
  /** Whether the editor shows diagnostics. */
  hasMarks?: boolean;
}

/** Serves a client over two streams, until it asks to exit or the input ends; then the process ends, with 0 after `shutdown` and 1 without. */
export function listen({ input, output, startJudge, version, pause = PAUSE }: Listening): void {
  const connection = createConnection(input, output);
  const server = new Server(connection, new Judging(startJudge), version, pause);
  server.listen();
}

/** What is about a document. */
interface OfDocument {
  readonly textDocument: { readonly uri: string };
}

class Server {
  readonly #connection: Connection;
  readonly #judging: Judging;
  readonly #documents = new TextDocuments(TextDocument);
  #settings: Settings | undefined;
  #client: Client = { hasMarkdown: false, hasTrees: false, hasVersions: false, hasLinks: false, hasRelated: false };
  readonly #version: string;
  readonly #pause: number;
  #isShutDown = false;
  /** By address. */
  readonly #states = new Map<string, State>();
  /** The addresses of the documents to judge, in the order in which they came. */
  readonly #waiting = new Set<string>();
  /** The address of the document that is being judged. */
  #current: string | undefined;

  constructor(connection: Connection, judging: Judging, version: string, pause: number) {
    this.#connection = connection;
    this.#judging = judging;
    this.#version = version;
    this.#pause = pause;
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onShutdown(() => {
      this.#isShutDown = true;
      for (const uri of this.#states.keys()) this.#forget(uri);
      this.#judging.stop('the server is shut down');
    });
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings));
    connection.onHover(this.#served((params: HoverParams, token) => this.#hover(params, token)));
    connection.onDocumentSymbol(this.#served((params: OfDocument, token) => this.#symbols(params, token)));
    connection.onCodeAction(this.#served((params: CodeActionParams) => this.#actions(params)));
    const documents = this.#documents;
    documents.onDidOpen(({ document: { uri } }) => {
      this.#forget(uri);
      this.#states.set(uri, {});
    });
    documents.onDidChangeContent(({ document }) => this.#changed(document));
    documents.onDidClose(({ document }) => this.#closed(document));
    documents.listen(connection);
    connection.listen();
  }

  /** Refuses requests before `initialize` and after `shutdown`. */
  #served<Params, Answer>(handler: (params: Params, token: CancellationToken) => Answer): (params: Params, token: CancellationToken) => Answer {
    return (params, token) => {
      if (this.#isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, 'the server is shut down');
      if (this.#settings === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'initialize was not asked yet');
      return handler(params, token);
    };
  }

  #initialize({ initializationOptions, capabilities = {} }: InitializeParams): InitializeResult | ResponseError<{ readonly retry: boolean }> {
    let settings: Settings;
    try {
      settings = optionsOf(initializationOptions);
    } catch (error) {
      // With `retry: false` an editor shows the message, and does not ask again.
      return new ResponseError(ErrorCodes.InvalidParams, (error as Error).message, { retry: false });
    }
    this.#settings = settings;
    const { textDocument = {}, workspace = {} } = capabilities;
    this.#client = {
      hasMarkdown: textDocument.hover?.contentFormat?.includes(MarkupKind.Markdown) ?? false,
      hasTrees: textDocument.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false,
      hasVersions: workspace.workspaceEdit?.documentChanges ?? false,
      hasLinks: textDocument.publishDiagnostics?.codeDescriptionSupport ?? false,
      hasRelated: textDocument.publishDiagnostics?.relatedInformation ?? false,
    };
    return {
      serverInfo: { name: 'epcis-edge', version: this.#version },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        documentSymbolProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
      },
    };
  }

  /** Takes new settings. Wrong ones are shown to the user, and the old ones stay. Editors also send settings without our section, or before `initialize`. */
  #configure(settings: Readonly<Record<string, unknown>> | null | undefined): void {
    if (this.#settings === undefined || settings?.[SECTION] === undefined) return;
    let own: Settings;
    try {
      own = settingsOf(settings[SECTION]);
    } catch (error) {
      this.#show(MessageType.Error, `${(error as Error).message}. The settings before it stay in force.`);
      return;
    }
    this.#settings = own;
    for (const document of this.#documents.all()) this.#changed(document);
  }

  /** Shows a message to the user, who need not answer it. */
  #show(type: MessageType, words: string): void {
    this.#connection.sendNotification(ShowMessageNotification.type, { type, message: `epcis-edge: ${words}` });
  }

  // Judging.

  #changed({ uri }: TextDocument): void {
    const state = this.#states.get(uri);
    if (state === undefined) return;
    clearTimeout(state.timer);
    state.timer = setTimeout(() => this.#enqueue(uri), this.#pause);
  }

  #closed({ uri }: TextDocument): void {
    const hasMarks = this.#states.get(uri)?.hasMarks;
    this.#forget(uri);
    if (hasMarks) this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #forget(uri: string): void {
    clearTimeout(this.#states.get(uri)?.timer);
    this.#states.delete(uri);
    this.#waiting.delete(uri);
    if (this.#current === uri) this.#judging.stop('the document was closed');
  }

  #enqueue(uri: string): void {
    this.#waiting.add(uri);
    if (this.#current === undefined) this.#work();
    else if (this.#current === uri) this.#judging.stop();
  }

  /** Judges the waiting documents, one after the other. */
  async #work(): Promise<void> {
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      const document = this.#documents.get(uri);
      if (document === undefined) continue;
      this.#current = uri;
      try {
        await this.#judge(document);
      } catch (error) {
        this.#failed(document, error);
      }
      this.#current = undefined;
    }
  }

  /** Takes back the diagnostics of a document that could not be judged. A document that has changed or was closed is none of these. */
  #failed(document: TextDocument, error: unknown): void {
    const { uri } = document;
    if (error instanceof Stopped && !error.isSlow) return;
    if (!(error instanceof Stopped)) this.#connection.console.error(`${uri}: ${error instanceof Error ? error.stack : error}`);
    const state = this.#states.get(uri);
    if (state === undefined) return;
    this.#tell(document, `it was not judged: ${error instanceof Stopped ? error.message : 'the log has a defect of the program'}`);
    state.diagnosed = undefined;
    if (state.hasMarks) this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    state.hasMarks = false;
  }

  /** Says once of a document why it has no diagnostics. */
  #tell({ uri }: TextDocument, why: string): void {
    const state = this.#states.get(uri);
    if (state === undefined || state.isTold) return;
    state.isTold = true;
    this.#show(MessageType.Info, `${decoded(uri.split('/').at(-1) ?? uri)}: ${why}`);
  }

  async #judge(document: TextDocument): Promise<void> {
    const { uri, version } = document;
    const text = document.getText();
    const state = this.#states.get(uri);
    const settings = this.#settings;
    if (state === undefined || settings === undefined) return;
    const isLong = isLongerThan(text, LONGEST);
    if (isLong) this.#tell(document, `it is longer than ${LONGEST / 1024 / 1024} MiB and was not judged; \`epcis-edge validate\` has no such limit`);
    const isOurs = !isLong && isLikeEpcis(text);
    const { diagnostics, fixes }: Diagnosed = isOurs ? await this.#judging.ask('diagnose', text, { settings }) : { diagnostics: [], fixes: [] };
    if (this.#states.get(uri) !== state || this.#documents.get(uri)?.version !== version) return;
    if (!isLong) state.isTold = false;
    const marks = diagnostics.map((one) => this.#diagnostic(document, one));
    state.diagnosed = { version, diagnostics: marks, fixes };
    // Other JSON and XML gets no message at all, unless it was EPCIS before.
    if (isOurs || isLong || state.hasMarks) this.#connection.sendDiagnostics({ uri, version, diagnostics: marks });
    state.hasMarks = isOurs;
  }

  #diagnostic(document: TextDocument, { from, to, severity, code, message, href, related = [] }: Diagnosis): Diagnostic {
    const { hasLinks, hasRelated } = this.#client;
    return {
      range: rangeOf(document, { from, to }),
      severity: SEVERITIES[severity],
      code,
      source: 'epcis-edge',
      message,
      ...(hasLinks && href !== undefined ? { codeDescription: { href } } : {}),
      ...(hasRelated && related.length > 0
        ? { relatedInformation: related.map((place) => ({ location: { uri: document.uri, range: rangeOf(document, place) }, message: place.message })) }
        : {}),
    };
  }

  // Requests.

  /** Asks the thread about an open document. Undefined if the document is not EPCIS, or too long. */
  async #asked<Name extends keyof Answers>(
    { textDocument: { uri } }: OfDocument,
    token: CancellationToken,
    ask: Name,
    rest: (document: TextDocument) => Questions[Name],
  ): Promise<{ readonly document: TextDocument; readonly answer: Answers[Name] } | undefined> {
    const document = this.#documents.get(uri);
    if (document === undefined) return undefined;
    const text = document.getText();
    if (isLongerThan(text, LONGEST) || !isLikeEpcis(text)) return undefined;
    const { version } = document;
    try {
      const answer = await this.#judging.ask(ask, text, rest(document));
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      if (document.version !== version) throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
      return { document, answer };
    } catch (error) {
      if (error instanceof Stopped) throw new ResponseError(LSPErrorCodes.ContentModified, error.message);
      throw error;
    }
  }

  async #hover(params: HoverParams, token: CancellationToken): Promise<Hover | null> {
    const asked = await this.#asked(params, token, 'explain', (own) => ({ offset: own.offsetAt(params.position) }));
    if (asked?.answer === undefined) return null;
    const { document, answer } = asked;
    const { hasMarkdown } = this.#client;
    return {
      contents: { kind: hasMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: written(answer.lines, hasMarkdown) },
      range: rangeOf(document, answer),
    };
  }

  async #symbols(params: OfDocument, token: CancellationToken): Promise<DocumentSymbol[] | SymbolInformation[]> {
    const asked = await this.#asked(params, token, 'symbols', () => ({}));
    if (asked === undefined) return [];
    const { document, answer } = asked;
    const symbols = answer.map(({ name, detail, from, to }): DocumentSymbol | SymbolInformation => {
      const range = rangeOf(document, { from, to });
      const kind = SymbolKind.Event;
      return this.#client.hasTrees
        ? { name, detail, kind, range, selectionRange: rangeOf(document, { from, to: from + 1 }) }
        : { name: detail === '' ? name : `${name}, ${detail}`, kind, location: { uri: document.uri, range } };
    });
    return symbols as DocumentSymbol[] | SymbolInformation[];
  }

  #actions({ textDocument: { uri }, range, context }: CodeActionParams): CodeAction[] {
    const document = this.#documents.get(uri);
    const diagnosed = this.#states.get(uri)?.diagnosed;
    // The fixes of an older version would edit the wrong places.
    if (document === undefined || diagnosed === undefined || diagnosed.version !== document.version) return [];
    return actionsFor({ document, range, context, ...diagnosed, hasVersions: this.#client.hasVersions });
  }
}

/** Whether a text has more bytes in UTF-8. */
const isLongerThan = (text: string, bytes: number): boolean => text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);

const rangeOf = (document: TextDocument, { from, to }: Places): Range => ({ start: document.positionAt(from), end: document.positionAt(to) });
