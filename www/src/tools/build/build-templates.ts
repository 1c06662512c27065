// The templates of the Build form: documents with example identifiers, which the checks of their industry accept.
import fsma204 from '../../../examples/fsma204-lettuce.json';
import gdst from '../../../examples/gdst-catch.json';
import dscsa from '../../../templates/dscsa.json';
import shipping from '../../../templates/shipping.json';
import type { BuildState } from './build-event.ts';
import { draftsOf, type Template } from './build-draft.ts';

interface About {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly pack?: string;
}

/** A template, and the state of the form that it makes. */
export interface OfferedTemplate extends About {
  state(): BuildState;
}

/** The templates. `pack` is the pack of checks that each is made for. */
const TEMPLATES: readonly (About & { readonly document: Template })[] = [
  { id: 'shipping', title: 'Shipping', about: 'boxes packed on a pallet and shipped for an order', document: shipping },
  {
    id: 'dscsa',
    title: 'DSCSA shipment',
    about: 'US medicines: commissioned, packed and shipped, with master data and the transaction statement',
    pack: 'dscsa',
    document: dscsa,
  },
  {
    id: 'fsma204',
    title: 'FSMA 204',
    about: 'US food: a lot of lettuce, harvested, transformed, packed, shipped and received',
    pack: 'fsma204',
    document: fsma204,
  },
  { id: 'gdst', title: 'GDST catch', about: 'seafood: a catch of tuna, landed, shipped and received', pack: 'gdst', document: gdst },
];

/** The templates as `{id, title, about, pack, state()}`. `state()` is as `draftsOf` answers. */
export const templates: readonly OfferedTemplate[] = TEMPLATES.map(({ document, ...about }) => ({ ...about, state: () => draftsOf(document) }));
