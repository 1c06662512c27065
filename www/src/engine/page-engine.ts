// The engine of the playground and of the web component: that of the package without its streams, which neither uses, and with what their
// picture asks.
import type { DocumentEngine, Handed } from '../../../wasm/js/engine/engines.ts';
import * as compiled from '../../../wasm/dist/page/epcis_edge.js';
import { makeDocumentApi } from '../../../wasm/js/engine/document-api.ts';
import { jsonDocument } from '../../../wasm/js/engine/arguments.ts';
import { refusing } from '../../../wasm/js/engine/error.ts';
import { makeEntry } from '../../../wasm/js/engine/load.ts';
import type { DocumentInput } from '../../../wasm/js/engine/index.ts';
import { handed } from '../../../wasm/js/engine/text.ts';

/** What `course` of the engine answers: things by their numbers, and for each event what it changes. */
export interface Course {
  readonly things: readonly string[];
  readonly events: readonly {
    readonly index: number;
    /** The event that declares it wrong; itself, if it declares. */
    readonly by?: number;
    /** Child, parent, whether it is an association, whether it is inside then (0: taken out; 1: put in), amount and unit. */
    readonly changes?: readonly (readonly [child: number, parent: number, isAssociation: number, state: number, quantity?: number, uom?: string])[];
  }[];
}

/** The engine of documents, with what the picture asks. */
interface StoryEngine extends DocumentEngine {
  /** A {@link Course} as JSON. */
  course(document: Handed): string;
}

const makeApi = (load: () => StoryEngine) => ({
  ...makeDocumentApi(load),
  /** The events of a document in order, and what each puts into containers: `follow::course` of the core says what is answered. */
  course(document: DocumentInput): Course {
    const engine = load();
    const source = jsonDocument(document);
    return JSON.parse(refusing(() => engine.course(handed(engine, source))));
  },
});

/** The functions of the engine, and `init`, which needs the compiled file. */
export const { init, ...engine } = makeEntry<StoryEngine, ReturnType<typeof makeApi>>(compiled, makeApi, {});

/** The functions of the engine. */
export type PageEngine = typeof engine;
