// Compares every generated codec with that of @coral-xyz/anchor for the same IDL: equal bytes and equal values.
import { BorshCoder } from '@coral-xyz/anchor';
import BN from 'bn.js';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import fc from 'fast-check';
import * as accounts from '../src/generated/accounts.js';
import * as instructions from '../src/generated/instructions.js';
import * as records from '../src/generated/records.js';
import { DecodeError } from '../src/errors/index.js';
import { IDL } from '../src/idl.js';

const integer = (max: number) => fc.oneof(fc.constantFrom(0, 1, max - 1, max), fc.integer({ min: 0, max }));
const bigint = (min: bigint, max: bigint) =>
  fc.oneof(fc.constantFrom(min, min + 1n, 0n, 1n, max - 1n, max), fc.bigInt(min, max));

const u8 = integer(0xff);
const u16 = integer(0xffff);
const u64 = bigint(0n, 2n ** 64n - 1n);
const i64 = bigint(-(2n ** 63n), 2n ** 63n - 1n);
const text = fc.string({ unit: 'binary', maxLength: 200 });
const publicKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new PublicKey(bytes));

const BY_TYPE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  bool: fc.boolean(),
  u8,
  u16,
  u64,
  i64,
  string: text,
  pubkey: publicKey,
};

type Fields = Record<string, unknown>;
type Functions = Record<string, ((value: never) => unknown) | undefined>;

const coder = new BorshCoder(IDL);
const RUNS = { numRuns: 500 };

function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fieldsOf(typeName: string): { name: string; type: string }[] {
  const type = IDL.types.find(({ name }) => name === typeName);
  if (type === undefined) throw new Error(`the IDL has no type ${typeName}`);
  return type.type.fields;
}

function arbitraryOf(fields: readonly { name: string; type: string }[]): fc.Arbitrary<Fields> {
  return fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, BY_TYPE[type]!])));
}

/** Converts bigints to BN, as Anchor needs. */
function toAnchor(value: Fields): Fields {
  return mapValues(value, (field) => (typeof field === 'bigint' ? new BN(field.toString()) : field));
}

/** The same values in types that both libraries share, for comparison. */
function plain(value: Fields): Fields {
  return mapValues(value, (field) =>
    typeof field === 'bigint' || field instanceof BN || field instanceof PublicKey ? String(field) : field,
  );
}

function mapValues(value: Fields, change: (field: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]));
}

function generated<T>(module: object, name: string): T {
  const found = (module as Functions)[name];
  if (found === undefined) throw new Error(`no generated function ${name}`);
  return found as T;
}

describe('generated codecs equal those of @coral-xyz/anchor', () => {
  for (const { name } of IDL.accounts) {
    const encode = generated<(value: Fields) => Uint8Array>(accounts, `encode${pascalCase(name)}`);
    const decode = generated<(bytes: Uint8Array) => Fields>(accounts, `decode${pascalCase(name)}`);
    it(`account ${name}`, () =>
      fc.assert(
        fc.asyncProperty(arbitraryOf(fieldsOf(name)), async (value) => {
          const bytes = await coder.accounts.encode(name, toAnchor(value));
          expect(Buffer.from(encode(value)).equals(bytes)).to.equal(true);
          expect(plain(decode(bytes))).to.deep.equal(plain(value));
        }),
        RUNS,
      ));
  }

  for (const { name, discriminator } of IDL.events) {
    const encode = generated<(value: Fields) => Uint8Array>(records, `encode${pascalCase(name)}`);
    const decode = generated<(bytes: Uint8Array) => Fields>(records, `decode${pascalCase(name)}`);
    it(`record ${name}`, () =>
      fc.assert(
        fc.property(arbitraryOf(fieldsOf(name)), (value) => {
          const bytes = Buffer.concat([
            Buffer.from(discriminator),
            coder.types.encode(name, toAnchor(value)),
          ]);
          expect(Buffer.from(encode(value)).equals(bytes)).to.equal(true);
          expect(plain(decode(bytes))).to.deep.equal(plain(value));
          const event = coder.events.decode(Buffer.from(encode(value)).toString('base64'));
          expect(event?.name).to.equal(name);
          expect(plain(event?.data as Fields)).to.deep.equal(plain(value));
        }),
        RUNS,
      ));
  }

  for (const { name, args, accounts: metas } of IDL.instructions) {
    const build = generated<(accounts: Fields, args: Fields) => TransactionInstruction>(
      instructions,
      `${name}Instruction`,
    );
    const decode = generated<(data: Uint8Array) => Fields>(instructions, `decode${pascalCase(name)}Args`);
    const allKeys = fc.record(Object.fromEntries(metas.map((meta) => [meta.name, BY_TYPE['pubkey']!])));
    it(`instruction ${name}`, () =>
      fc.assert(
        fc.property(allKeys, arbitraryOf(args), (keys, value) => {
          const instruction = build(keys, value);
          expect(instruction.data.equals(coder.instruction.encode(name, toAnchor(value)))).to.equal(true);
          expect(plain(decode(instruction.data))).to.deep.equal(plain(value));
          expect(instruction.programId.toBase58()).to.equal(IDL.address);
          expect(instruction.keys).to.deep.equal(
            metas.map((meta) => ({
              pubkey: keys[meta.name],
              isWritable: 'writable' in meta,
              isSigner: 'signer' in meta,
            })),
          );
        }),
        RUNS,
      ));
  }
});

describe('generated decoders', () => {
  it('refuse a boolean that is neither 0 nor 1', () => {
    const bytes = Buffer.alloc(200);
    bytes.set(records.TRADE_RECORD_DISCRIMINATOR);
    bytes[8 + 32 + 32] = 2;
    expect(() => records.decodeTradeRecord(bytes)).to.throw(DecodeError, 'boolean');
  });
});
