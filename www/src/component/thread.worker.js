// The thread of an element that shows something large. The script of the component has this file as text.
import { serveElement } from './serve.js';

serveElement(self);
// The element waits for this: a thread that the page's policy forbids never says it.
self.postMessage({ kind: 'ready' });
