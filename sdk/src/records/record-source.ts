import { requireInteger } from '../checks/keys.js';
import { decodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError } from '../errors/index.js';
import type { RecordSource } from './record.js';

const SIGNATURE_SIZE = 64;

/** @throws InvalidArgumentError unless `value` is a record's source */
export function requireRecordSource(argument: string, value: RecordSource): void {
  // JavaScript callers pass stored values without types.
  const { signature, slot, position } = Object(value) as Partial<RecordSource>;
  if (!isSignature(signature)) {
    throw new InvalidArgumentError(
      `${argument}.signature`,
      `is not the signature of a transaction: ${SIGNATURE_SIZE} bytes in base58`,
    );
  }
  const check = (name: string, number: number | undefined, min = 0) =>
    requireInteger(`${argument}.${name}`, number as number, Number.MAX_SAFE_INTEGER, min);
  check('slot', slot);
  check('position.outer', position?.outer);
  check('position.inner', position?.inner, -1);
}

function isSignature(value: unknown): boolean {
  try {
    return typeof value === 'string' && decodeBase58(value).length === SIGNATURE_SIZE;
  } catch {
    return false;
  }
}
