// `epcis-edge/component`: defines the element `epcis-events`.
import { EpcisEvents } from './element.ts';

export { EpcisEvents };

// A page may load the script twice; the first one counts.
if (globalThis.customElements?.get('epcis-events') === undefined) globalThis.customElements?.define('epcis-events', EpcisEvents);
