// What the page knows of its document.
import type { ChecksAnswer, Places } from '../engine/answers.ts';
import type { EventsAnswer } from '../engine/document-story.ts';
import type { Ask, Engine } from '../engine/engine.ts';
import type { PageOptions, Questions, Tools } from '../engine/engine.worker.ts';
import type { HashesAnswer } from '../hash/document-hashes.ts';
import type { TranslationAnswer, XmlVersion } from '../translate/document-translation.ts';
import type { Choice } from '../verdict/asked.ts';
import type { VerdictAnswer } from '../verdict/document-verdict.ts';
import type { Opened, OpenHow } from './documents.ts';

/** The answers about the shown document, as far as they are there. */
export interface Parts {
  verdict?: VerdictAnswer;
  events?: EventsAnswer;
  hashes?: HashesAnswer;
  translation?: TranslationAnswer;
  places?: Places;
  /** Absent, too, if the engine of checks could not be loaded. */
  checks?: ChecksAnswer | undefined;
  /** The packs that seem to be for the document. */
  fitting?: readonly string[] | undefined;
}

/** The state of the page. */
export interface State extends Required<Choice> {
  tab: string;
  format: 'empty' | 'json' | 'xml';
  back: XmlVersion;
  packs: readonly string[];
  unwanted: readonly string[];
  parameters: NonNullable<Choice['parameters']>;
  /** Of a document that is not edited as text: its size, and whether a part of it is shown that is not its beginning. */
  large: { readonly size: number; isPart?: boolean } | undefined;
  /** The item that has a page. */
  item: string | undefined;
  parts: Parts;
  /** Whether the document is being opened, so that its first answer chooses the tab. */
  isOpening?: boolean;
  isUnchecked?: boolean;
}

export type PageAsk = Ask<Questions>;
export type EngineOfPage = Engine<Questions, Tools, PageOptions>;
/** Takes the failure of a promise. */
export type Quietly = (promise: Promise<unknown>) => unknown;
/** Opens a text as a document. Returns false if too many documents are open. */
export type OpenText = (text: string, about?: Opened, how?: OpenHow) => boolean;

/** An answer of the engine, by its name. */
export type Answered = { [Part in keyof Parts]-?: { readonly part: Part; readonly value: Required<Parts>[Part] } }[keyof Parts];
