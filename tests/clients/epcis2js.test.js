// The real epcis2.js with the gateway in workerd: documents from its builders, captured and polled as its users do.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import epcis2 from 'epcis2.js';
import { open } from '../../worker/tests/store.js';

const {
  CaptureResponse,
  EPCISDocument,
  AggregationEvent,
  AssociationEvent,
  ObjectEvent,
  QuantityElement,
  TransactionEvent,
  TransformationEvent,
  BizTransactionElement,
  capture,
  setup,
} = epcis2;

let store;
before(async () => {
  store = await open();
});
after(() => store?.dispose());

const at = (event) => event.setEventTime('2026-03-04T11:00:30.000+01:00').setEventTimeZoneOffset('+01:00').setBizStep('shipping').setDisposition('in_transit');
const epc = (n) => `urn:epc:id:sgtin:0614141.112345.${n}`;

/** An event of each type, made by the builders. */
const built = () => [
  at(new ObjectEvent()).setAction('OBSERVE').addEPC(epc(1)),
  at(new AggregationEvent()).setAction('ADD').setParentId('urn:epc:id:sscc:0614141.1234567890').addChildEPC(epc(2)),
  at(new AssociationEvent()).setAction('ADD').setParentId('urn:epc:id:grai:4012345.55555.987').addChildEPC(epc(3)),
  at(new TransactionEvent())
    .setAction('ADD')
    .addEPC(epc(4))
    .addBizTransaction(new BizTransactionElement({ type: 'po', bizTransaction: 'urn:epc:id:gdti:0614141.00001.1618034' })),
  at(new TransformationEvent())
    .addInputEPC(epc(5))
    .addOutputQuantity(new QuantityElement({ epcClass: 'urn:epc:class:lgtin:4012345.012345.998877', quantity: 10 })),
];

for (const mount of ['/', '/epcis', '/epcis/']) {
  test(`setup, capture, poll, under ${mount}`, async () => {
    const key = await store.makeKey({ account: `https://example.com/accounts/epcis2js${mount}` });
    const apiUrl = new URL(mount, store.address).href;
    setup({ apiUrl, headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` } });
    const document = new EPCISDocument().setCreationDate('2026-03-04T11:00:30.000+01:00');
    for (const event of built()) document.addEvent(event);
    const answer = await capture(document);
    assert.equal(answer.status, 202, await answer.clone().text());
    const response = new CaptureResponse(answer);
    await response.pollForTheCaptureToFinish(5, 2000);
    assert.deepEqual([response.getRunningStatus(), response.getSuccessStatus(), response.getErrors()], [false, true, []]);
    // Found by its EPCs.
    for (let n = 1; n <= 5; n += 1) {
      const found = await fetch(`${apiUrl.replace(/\/$/, '')}/epcs/${encodeURIComponent(epc(n))}/events`, { headers: { authorization: `Bearer ${key}` } });
      const { epcisBody } = await found.json();
      assert.equal(epcisBody.queryResults.resultsBody.eventList.length, 1, epc(n));
    }
  });
}

test('a document that the schema refuses is refused at once, and CaptureResponse says that there is no job', async () => {
  const key = await store.makeKey();
  setup({ apiUrl: store.address.href, headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` }, documentValidation: false });
  const answer = await capture(
    new EPCISDocument().setCreationDate('2026-03-04T11:00:30.000+01:00').addEvent(at(new ObjectEvent()).setAction('LOOK').addEPC(epc(1))),
  );
  assert.equal(answer.status, 400);
  assert.equal((await answer.json()).type, 'epcisException:ValidationException');
  assert.throws(() => new CaptureResponse(answer), /location/);
});
