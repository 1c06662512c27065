// The suite of store-kill.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./store-kill.test.js');
