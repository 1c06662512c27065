// The suite of store-following.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./store-following.test.js');
