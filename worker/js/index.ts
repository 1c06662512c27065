// The Worker over D1.
import { entry } from './entry.ts';

export default entry;
