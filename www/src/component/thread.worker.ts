// The thread of an element that shows something large. The script of the component has this file as text.
import type { Port } from '../engine/thread.ts';
import { serveElement } from './serve.ts';

serveElement(self as unknown as Port);
// The element waits for this: a thread that the page's policy forbids never says it.
self.postMessage({ kind: 'ready' });
