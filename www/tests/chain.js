// A chain of events for the tests of items, and how they read the page of an item.
import { around, event } from './browser.js';

export const packing = (own) => event({ type: 'AggregationEvent', action: 'ADD', bizStep: 'packing', epcList: undefined, ...own });

export const [item, pallet, other] = ['urn:epc:id:sgtin:9521141.012345.A1', 'urn:epc:id:sscc:9521141.1234567890', 'urn:epc:id:sgtin:9521141.012345.B2'];
/** An item is packed, travels with its pallet, and is taken out; the pallet goes on without it. */
export const CHAIN = around(
  event({ action: 'ADD', bizStep: 'commissioning', epcList: [item, other], eventTime: '2026-03-04T08:00:00Z' }),
  packing({ parentID: pallet, childEPCs: [item], eventTime: '2026-03-04T09:00:00Z' }),
  event({ bizStep: 'shipping', epcList: [pallet], eventTime: '2026-03-04T10:00:00Z' }),
  packing({ action: 'DELETE', bizStep: 'unpacking', parentID: pallet, childEPCs: [item], eventTime: '2026-03-05T09:00:00Z' }),
  event({ bizStep: 'storing', epcList: [pallet], eventTime: '2026-03-06T09:00:00Z' }),
  event({ bizStep: 'retail_selling', epcList: [item], eventTime: '2026-03-07T09:00:00Z' }),
  event({ bizStep: 'inspecting', epcList: [other], eventTime: '2026-03-08T09:00:00Z' }),
);

export const fragmentOf = (id, document = '') => `#${document}${document && '&'}item=${encodeURIComponent(id)}`;
/** Opens the page of an item by its address. */
export async function openItem(page, id) {
  await page.evaluate((hash) => (location.hash = hash), fragmentOf(id));
  await page.locator('#panel-item .item-page, #panel-item .banner').first().waitFor();
}
export const life = (page) => page.locator('.item-life li').allInnerTexts();
export const section = (page, title) => page.locator('.item-section', { has: page.locator('h3', { hasText: title }) });

/** The chain, with names in its master data. */
export const named = (text = CHAIN) => {
  const document = JSON.parse(text);
  const vocabulary = (type, id, attribute, name) => ({
    type: `urn:epcglobal:epcis:vtype:${type}`,
    vocabularyElementList: [{ id, attributes: [{ id: `urn:epcglobal:cbv:mda#${attribute}`, attribute: name }] }],
  });
  document.epcisHeader = {
    epcisMasterData: {
      vocabularyList: [
        vocabulary('BusinessLocation', 'urn:epc:id:sgln:9521141.00001.0', 'name', 'Hill Orchard'),
        vocabulary('EPCClass', 'urn:epc:idpat:sgtin:9521141.012345.*', 'descriptionShort', 'Apple juice'),
      ],
    },
  };
  const { eventList } = document.epcisBody;
  for (const one of eventList.slice(0, 3)) one.readPoint = { id: 'https://id.gs1.org/414/9521141000014' };
  eventList[2].disposition = 'in_transit';
  return JSON.stringify(document);
};

export const SENTENCES = [
  'On 4 March 2026, 09:00 it was commissioned at Hill Orchard (GLN 9521141000014).',
  'On 4 March 2026, 10:00 it was packed into SSCC 195211412345678900 at Hill Orchard (GLN 9521141000014).',
  'On 4 March 2026, 11:00 it was inside SSCC 195211412345678900, which was shipped from Hill Orchard (GLN 9521141000014). in transit',
  'On 5 March 2026, 10:00 it was taken out of SSCC 195211412345678900.',
  'On 7 March 2026, 10:00 it was sold.',
];
