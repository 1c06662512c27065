// What panels and tools get of the page.
import type { ChecksAnswer, Range } from '../engine/answers.ts';
import type { Download } from '../engine/document.ts';
import type { Items } from '../item/items.ts';
import type { Session } from './session.ts';
import type { Answered, EngineOfPage, OpenText, PageAsk, Quietly, State } from './state.ts';
import type { Tabs } from './tabs.ts';

/** What a panel gets. */
export interface Page {
  readonly state: State;
  readonly engine: EngineOfPage;
  readonly session: Session;
  readonly ask: PageAsk;
  readonly quietly: Quietly;
  readonly openText: OpenText;
  readonly items: Items;
  readonly tabs: Tabs;
  download(what: Download | 'csv', isText?: false): Promise<undefined>;
  download(what: Download | 'csv', isText: true): Promise<string>;
  jumpTo(place: Pick<Range, 'from' | 'to'> | undefined): unknown;
  jumpToProblem(): unknown;
  showBadge(answer: Answered): void;
  /** Takes an answer that came to a question of a panel. */
  answered(answer: { readonly part: 'checks'; readonly value: ChecksAnswer }): void;
  shareItem(): unknown;
  drawCode(): void;
  mark(): void;
  summarise(): Promise<void>;
  draw(id: string): Promise<void>;
  openEvent(index: number): Promise<void>;
  /** The name of the shown document, without its ending. */
  baseName(): string;
}
