/**
 * Adds to the IDLs what Anchor cannot know, because the programs check addresses by hand: seeds, some fixed addresses,
 * and how clients get log records. This does not change the programs' binaries.
 */
import { PublicKey } from '@solana/web3.js';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Idl, IdlInstructionAccount, IdlSeed } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { plainAccounts } from '../../generate-sdk/idl.js';
import type { KnownAccounts, Pda, Seed } from './seeds.js';

type Constants = ReadonlyMap<string, string>;

const RECORDS =
  'The events of this IDL are log records. The program logs a record as the data of a call to its own `validate_log_record`, ' +
  'behind the discriminator and the arguments of that instruction, and not as a line of the log (only `MigrateRecord` is a ' +
  "line too). So Anchor's `EventParser` and `addEventListener` do not hear them: read the inner instructions of a " +
  'transaction, as `decodeRecords` and `subscribeRecords` of `@curvekit/sdk` and `curvekit-client` in Rust do.';

/** Fills in an IDL file from Anchor's command line. Filling it in again changes nothing. */
export function fillIdlFile(path: string, known: KnownAccounts, others: readonly string[]): void {
  const [idl, ...more] = [path, ...others].map((file) => JSON.parse(readFileSync(file, 'utf8')) as Idl);
  writeFileSync(path, JSON.stringify(filledIdl(idl!, known, more), null, 2));
}

/**
 * @param others IDLs whose constants are also used as seeds
 * @throws Error for an account that is not in `known`: add its seeds, its address, or its name to `free`
 */
export function filledIdl(idl: Idl, known: KnownAccounts, others: readonly Idl[]): Idl {
  const constants = new Map(
    [...others, idl].flatMap((one) => (one.constants ?? []).map(({ name, value }) => [name, value])),
  );
  const { address, metadata, docs = [], ...rest } = idl;
  return {
    address,
    metadata,
    docs: [...docs.filter((line) => line !== RECORDS), RECORDS],
    ...rest,
    instructions: idl.instructions.map((instruction) => ({
      ...instruction,
      // Flatten groups, because Anchor's clients look for the account of a seed only in its own group.
      accounts: plainAccounts(instruction).map((account) => filledAccount(account, known, constants)),
    })),
  };
}

function filledAccount(
  account: IdlInstructionAccount,
  known: KnownAccounts,
  constants: Constants,
): IdlInstructionAccount {
  const { name } = account;
  const pda = known.pdas[name];
  const address = account.address ?? known.addresses[name];
  if (pda === undefined && address === undefined && !known.free.includes(name))
    throw new Error(
      `account ${name}: say in scripts/program/idl/seeds.ts what its seeds are, or that it has none`,
    );
  return {
    ...account,
    ...(address !== undefined && { address }),
    ...(pda !== undefined && { pda: idlPda(pda, constants) }),
  };
}

function idlPda({ seeds, program }: Pda, constants: Constants) {
  return {
    seeds: seeds.map((seed) => idlSeed(seed, constants)),
    ...(program !== undefined && { program: idlSeed({ address: program }, constants) }),
  };
}

function idlSeed(seed: Seed, constants: Constants): IdlSeed {
  if ('account' in seed) return { kind: 'account', path: seed.account };
  return { kind: 'const', value: [...constantBytes(seed, constants)] };
}

function constantBytes(
  seed: Exclude<Seed, { readonly account: string }>,
  constants: Constants,
): Iterable<number> {
  if ('text' in seed) return new TextEncoder().encode(seed.text);
  if ('bytes' in seed) return seed.bytes;
  if ('address' in seed) return new PublicKey(seed.address).toBytes();
  const value = constants.get(seed.constant);
  if (value === undefined) throw new Error(`no IDL has the constant ${seed.constant}`);
  return JSON.parse(value) as number[];
}
