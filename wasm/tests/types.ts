// Compiles only if the declarations say what a user relies on.
import { type EpcisError, type Problem, type SchemaError, type Verdict, validate } from 'epcis-edge';

const verdict: Verdict = validate(new Uint8Array());
const fromText: boolean = validate('{}').valid;
const errors: readonly SchemaError[] = validate({}).errors;
const version: '2.0.1' = verdict.schema.version;
const describe = (error: EpcisError): Problem['status'] => error.problem.status;
// @ts-expect-error a number is no document
validate(7);
// @ts-expect-error answers are read-only
verdict.valid = true;
export { describe, errors, fromText, version };
