// Checks the options of a feed before any request.
import { requireAccountKey, requireInteger } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { requireRecordSource } from '../records/record-source.js';
import type { FeedOptions, RecordKind } from './options.js';

const KINDS: readonly RecordKind[] = ['create', 'trade', 'migrate', 'graduate', 'swap', 'unknown'];
const COMMITMENTS = ['processed', 'confirmed', 'finalized'];
const MOST_RECORDS = 10_000;

/** @throws InvalidArgumentError that names the invalid option */
export function requireFeedOptions(options: FeedOptions<RecordKind>): void {
  const { kinds, mints, trader, from, commitment, batch } = options;
  requireList('kinds', kinds, (name, kind) => requireOneOf(name, kind, KINDS));
  requireList('mints', mints, requireAccountKey);
  if (trader !== undefined) requireAccountKey('trader', trader);
  else if (kinds?.includes('swap') === true && mints?.length !== 1)
    throw new InvalidArgumentError(
      'kinds',
      "has 'swap': trades in pools can be read for one token (mints) or one wallet (trader), because nothing lists those of all tokens",
    );
  if (from !== undefined && from !== 'now' && from !== 'genesis') requireRecordSource('from', from);
  if (commitment !== undefined) requireOneOf('commitment', commitment, COMMITMENTS);
  if (batch !== undefined && batch !== 'transaction' && batch !== 'slot')
    requireInteger('batch', batch, MOST_RECORDS, 1);
}

function requireList<T>(
  argument: string,
  list: readonly T[] | undefined,
  requireEach: (argument: string, value: T) => void,
): void {
  if (list === undefined) return;
  if (!Array.isArray(list) || list.length === 0)
    throw new InvalidArgumentError(argument, 'must be a list with at least one value; leave it out for all');
  for (const [index, value] of list.entries()) requireEach(`${argument}[${index}]`, value as T);
}

function requireOneOf(argument: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value))
    throw new InvalidArgumentError(argument, `is ${String(value)}; it must be ${allowed.join(', ')}`);
}
