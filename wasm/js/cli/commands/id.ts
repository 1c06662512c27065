// The command `id`: converts identifiers.
import { EpcisError } from '../../engine/error.ts';
import * as epcis from '../../engine/node.ts';
import type { Run } from '../command.ts';
import { EXIT, told } from '../each.ts';
import { Usage } from '../files.ts';

export const id: Run = async (identifiers, options, output) => {
  if (identifiers.length === 0) throw new Usage('no identifier given');
  const length = options['to-urn'];
  if (length !== undefined && !/^\d{1,2}$/.test(length)) throw new Usage(`--to-urn takes the number of digits of the company prefix, 6 to 12, not ${length}`);
  let worst: number = EXIT.ok;
  for (const identifier of identifiers) {
    let other: string | undefined;
    try {
      other = length === undefined ? epcis.identifiers.toDigitalLink(identifier) : epcis.identifiers.toEpcUrn(identifier, Number(length));
      if (other === undefined) {
        const detail = 'this is not a GS1 identifier with a Digital Link form';
        throw new EpcisError(detail, { type: 'epcisException:ValidationException', title: 'Identifier not convertible', status: 400, detail });
      }
    } catch (error) {
      worst = Math.max(worst, await told(error, { file: identifier }, options));
      continue;
    }
    if (options.json) await output.json({ identifier, [length === undefined ? 'digitalLink' : 'epcURN']: other });
    else await output.lines([other]);
  }
  return worst;
};
