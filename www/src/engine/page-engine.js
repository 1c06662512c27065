// The engine of the playground and of the web component: that of the package without its streams, which neither uses, and with what their
// picture asks.
import * as compiled from '../../../wasm/dist/page/epcis_edge.js';
import { makeDocumentApi } from '../../../wasm/js/engine/document-api.ts';
import { jsonDocument } from '../../../wasm/js/engine/arguments.ts';
import { refusing } from '../../../wasm/js/engine/error.ts';
import { makeEntry } from '../../../wasm/js/engine/load.ts';
import { handed } from '../../../wasm/js/engine/text.ts';

const makeApi = (load) => ({
  ...makeDocumentApi(load),
  /** The events of a document in order, and what each puts into containers: `follow::course` of the core says what is answered. */
  course(document) {
    const engine = load();
    const source = jsonDocument(document);
    return JSON.parse(refusing(() => engine.course(handed(engine, source))));
  },
});

/** The functions of the engine, and `init`, which needs the compiled file. */
export const { init, ...engine } = makeEntry(compiled, makeApi, {});
