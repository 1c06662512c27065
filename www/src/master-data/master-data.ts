// The master data of a document: attributes of places, parties and classes.
import { type Attribute, type Element, lastPart, vocabulariesOf } from '../../../wasm/js/names/names.ts';
import { listOf, textOf } from '../events/event-model.ts';

/** A vocabulary, with its first elements. */
export interface VocabularyModel {
  readonly type: string;
  readonly name: string;
  readonly total: number;
  readonly elements: readonly {
    readonly id: string;
    readonly text: string;
    readonly attributes: readonly { readonly name: string; readonly full: string; readonly value: string }[];
    readonly children: readonly string[];
  }[];
}

/**
 * The vocabularies of a document: `[{type, name, total, elements: [{id, text, attributes: [{name, full, value}], children: [text]}]}]`,
 * each with at most `most` elements. `named(id)` gives the display text of an identifier.
 */
export function masterDataOf(document: unknown, named: (id: string) => string, most = 500): VocabularyModel[] {
  return vocabulariesOf(document).map((list) => {
    const elements: readonly (Element & { readonly children?: unknown })[] = listOf(list?.vocabularyElementList);
    return {
      type: textOf(list?.type ?? ''),
      name: lastPart(list?.type ?? '')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/^EPCClass$/, 'EPC class'),
      total: elements.length,
      elements: elements.slice(0, most).map((element) => ({
        id: textOf(element?.id ?? ''),
        text: named(textOf(element?.id ?? '')),
        attributes: listOf(element?.attributes).map((attribute: Attribute | null) => ({
          name: lastPart(attribute?.id),
          full: textOf(attribute?.id),
          value: textOf(attribute?.attribute),
        })),
        children: listOf(element?.children).map((child: unknown) => named(textOf(child))),
      })),
    };
  });
}
