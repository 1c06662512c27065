// The Worker over D1.
import { entry } from './entry.js';

export default entry;
