// The documents of industries among the examples.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { validate } from 'epcis-edge';
import { check } from 'epcis-edge/check';

const textOf = (name) => readFileSync(new URL(`../examples/${name}.json`, import.meta.url), 'utf8');
/** The pack that each is made for. */
const OWN = { 'dscsa-shipment': 'dscsa', 'fsma204-lettuce': 'fsma204', 'gdst-catch': 'gdst' };

test('the example vaccine-cold-chain: valid, and without findings', () => {
  const text = textOf('vaccine-cold-chain');
  assert.equal(validate(text).valid, true);
  assert.deepEqual(check(text).findings, []);
});

for (const [name, pack] of Object.entries(OWN)) {
  test(`the example ${name}: valid, silent by default, and made for its pack`, () => {
    const text = textOf(name);
    assert.equal(validate(text).valid, true);
    assert.deepEqual(check(text).findings, []);
    const report = check(text, { packs: [pack] });
    assert.equal(report.notApplicable, undefined);
    assert.deepEqual(
      report.rules.map(({ rule, count }) => `${rule} ${count}`).sort(),
      pack === 'dscsa'
        ? [
            'dscsa/address-incomplete 1',
            'dscsa/ndc-form 1',
            'serialised-medicine/order-incomplete 1',
            'serialised-medicine/shipped-unknown 6',
            'serialised-medicine/shipping-with-place 1',
          ]
        : [],
    );
  });
}
