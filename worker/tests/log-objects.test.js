// The suite of log.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./log.test.js');
