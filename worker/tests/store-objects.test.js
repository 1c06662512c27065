// The suite of store.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./store.test.js');
