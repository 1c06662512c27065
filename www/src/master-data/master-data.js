// The master data of a document: attributes of places, parties and classes.
import { lastPart, vocabulariesOf } from '../../../wasm/js/names/names.ts';
import { listOf, textOf } from '../events/event-model.js';

/**
 * The vocabularies of a document: `[{type, name, total, elements: [{id, text, attributes: [{name, full, value}], children: [text]}]}]`,
 * each with at most `most` elements. `named(id)` gives the display text of an identifier.
 */
export function masterDataOf(document, named, most = 500) {
  return vocabulariesOf(document).map((list) => {
    const elements = listOf(list?.vocabularyElementList);
    return {
      type: textOf(list?.type ?? ''),
      name: lastPart(list?.type ?? '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/^EPCClass$/, 'EPC class'),
      total: elements.length,
      elements: elements.slice(0, most).map((element) => ({
        id: textOf(element?.id ?? ''),
        text: named(textOf(element?.id ?? '')),
        attributes: listOf(element?.attributes).map((attribute) => ({
          name: lastPart(attribute?.id),
          full: textOf(attribute?.id),
          value: textOf(attribute?.attribute),
        })),
        children: listOf(element?.children).map((child) => named(textOf(child))),
      })),
    };
  });
}
