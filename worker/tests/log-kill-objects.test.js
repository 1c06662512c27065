// The suite of log-kill.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./log-kill.test.js');
