// XML syntax colours for the editor, loaded with the first XML document.
import { xml as language } from '@codemirror/lang-xml';

export const xml = language();
