// The colours of XML in the editor.
import { xml as language } from '@codemirror/lang-xml';

export const xml = language();
