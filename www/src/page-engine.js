// The engine of the playground and of the web component: that of the package without its streams, which neither uses.
import * as compiled from '../../wasm/dist/page/epcis_edge.js';
import { makeDocumentApi } from '../../wasm/js/document-api.js';
import { makeEntry } from '../../wasm/js/load.js';

/** The functions of the engine, and `init`, which needs the compiled file. */
export const { init, ...engine } = makeEntry(compiled, makeDocumentApi, {});
