// Prints the crates of the product as CycloneDX 1.6 in JSON: name, version, licence, SHA-256 from Cargo.lock, and what depends on what.
import { readFileSync } from 'node:fs';
import CycloneDX from '@cyclonedx/cyclonedx-library';
import parseExpression from 'spdx-expression-parse';
import { type Crate, PRODUCT, productCrates } from './crates.ts';
import { refuse } from './given.ts';

const { Contrib, Enums, Models, Serialize, Spec } = CycloneDX;

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('package.json'));
const licences = new Contrib.License.Factories.LicenseFactory(parseExpression);

/** The SHA-256 of each crate that comes from crates.io, by `name@version`. */
const checksums = new Map(
  [...read('Cargo.lock').matchAll(/^name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"$/gm)].map(
    ([, name, locked, checksum]) => [`${name}@${locked}`, checksum],
  ),
);

function componentOf({ name, version: ofCrate, licence, isOurs }: Crate) {
  const id = `${name}@${ofCrate}`;
  const checksum = checksums.get(id);
  if (checksum === undefined && !isOurs) throw new Error(`Cargo.lock has no checksum of ${id}`);
  return new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: id,
    version: ofCrate,
    scope: Enums.ComponentScope.Required,
    purl: `pkg:cargo/${name}@${encodeURIComponent(ofCrate)}`,
    licenses: new Models.LicenseRepository(licence === '' ? [] : [licences.makeFromString(licence)]),
    hashes: new Models.HashDictionary(checksum === undefined ? [] : [[Enums.HashAlgorithm['SHA-256'], checksum]]),
  });
}

const crates = productCrates();
const components = new Map(crates.map((crate) => [`${crate.name}@${crate.version}`, componentOf(crate)]));
const component = (id: string) => components.get(id) ?? refuse(`no crate of the product is ${id}`, 'see `cargo tree`');
for (const { name, version: ofCrate, needs } of crates) {
  for (const needed of needs) component(`${name}@${ofCrate}`).dependencies.add(component(needed).bomRef);
}
const product = new Models.Component(Enums.ComponentType.Application, 'epcis-edge', {
  bomRef: `epcis-edge@${version}`,
  version,
  licenses: new Models.LicenseRepository([licences.makeFromString('Apache-2.0')]),
  externalReferences: new Models.ExternalReferenceRepository([
    new Models.ExternalReference('https://github.com/epcis-edge/epcis-edge', Enums.ExternalReferenceType.VCS),
  ]),
});
for (const name of PRODUCT) product.dependencies.add(component(`${name}@${version}`).bomRef);

const bom = new Models.Bom({ serialNumber: Contrib.Bom.Utils.randomSerialNumber() });
bom.metadata.timestamp = new Date();
bom.metadata.component = product;
for (const component of components.values()) bom.components.add(component);
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
process.stdout.write(`${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`);
