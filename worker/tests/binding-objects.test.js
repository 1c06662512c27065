// The suite of binding.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./binding.test.js');
