// compose() over Kit.
import {
  isSignerRole,
  isWritableRole,
  type Address,
  type AddressesByLookupTableAddress,
  type Instruction,
} from '@solana/kit';
import type { TransactionInstruction } from '../../chain/types.js';
import { newInstruction } from '../../chain/keys.js';
import { requireObject } from '../../checks/options.js';
import { compose as coreCompose } from '../../trade/compose.js';
import type { Composition as CoreComposition, CompositionOf, TipOf } from '../../trade/options.js';
import { keyOf, translated, withKeys } from '../convert.js';

/** What else the transaction does, and how its message is written. */
export type Composition = CompositionOf<Instruction, Address, AddressesByLookupTableAddress>;

/** A payment beside the order. */
export type Tip = TipOf<Address>;

/** What {@link compose} returns. */
export interface Composed {
  /** Puts the instructions in their order. */
  readonly composed: (...parts: never) => unknown;
}

/**
 * What a trade or a launch does besides, for its option `composition`. Apart, so that a page that only trades does not load it.
 *
 * @throws InvalidArgumentError for an unknown name
 */
export function compose(composition: Composition): Composed {
  requireObject('composition', composition);
  return translated(() => coreCompose({ ...composition, ...coreParts(composition) } as CoreComposition));
}

function coreParts({ before, after, tip, nonce, lookupTables }: Composition): CoreComposition {
  return {
    before: instructionsOf(before),
    after: instructionsOf(after),
    tip: withKeys(tip) as CoreComposition['tip'],
    nonce: withKeys(nonce) as CoreComposition['nonce'],
    lookupTables: lookupTables && coreTables(lookupTables),
  };
}

function instructionsOf(given: Composition['before']): CoreComposition['before'] {
  return Array.isArray(given) ? given.map(coreInstruction) : (given as undefined);
}

function coreTables(tables: AddressesByLookupTableAddress): CoreComposition['lookupTables'] {
  requireObject('lookupTables', tables);
  return Object.entries(tables).map(
    ([key, addresses]) => ({ key: keyOf(key), state: { addresses: withKeys(addresses) } }) as never,
  );
}

/** Converts an instruction for the core. A value that is not an instruction is returned unchanged, so that the core refuses it. */
function coreInstruction(given: Instruction): TransactionInstruction {
  const { programAddress, accounts = [], data = new Uint8Array() } = Object(given) as Instruction;
  if (programAddress === undefined) return given as unknown as TransactionInstruction;
  const keys = accounts.map(({ address, role }) => ({
    pubkey: keyOf(address),
    isSigner: isSignerRole(role),
    isWritable: isWritableRole(role),
  }));
  return newInstruction(keyOf(programAddress), keys, Uint8Array.from(data));
}
