// The templates of the Build form: documents with example identifiers, which the checks of their industry accept.
import fsma204 from '../../../examples/fsma204-lettuce.json';
import gdst from '../../../examples/gdst-catch.json';
import dscsa from '../../../templates/dscsa.json';
import shipping from '../../../templates/shipping.json';
import { draftsOf } from './build-draft.ts';

/** The templates. `pack` is the pack of checks that each is made for. */
const TEMPLATES = [
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
export const templates = TEMPLATES.map(({ document, ...about }) => ({ ...about, state: () => draftsOf(document) }));
