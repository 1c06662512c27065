// The suite of store-concurrency.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./store-concurrency.test.js');
