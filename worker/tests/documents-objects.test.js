// The suite of documents.test.js, over objects.
import { onObjects } from './on-objects.js';

await onObjects('./documents.test.js');
