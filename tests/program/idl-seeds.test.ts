// Every address derived from the IDLs' seeds equals the SDK's address.
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  adminSetProperties,
  buy,
  createToken,
  DEFAULT_DEPLOYMENT,
  graduate,
  migrate,
  sell,
  sweepFees,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { CURVE_ACCOUNTS, GRADUATION_ACCOUNTS } from '../../scripts/program/idl/seeds.js';
import { filledIdl } from '../../scripts/program/idl/fill.js';

type Seed =
  { readonly kind: 'const'; readonly value: number[] } | { readonly kind: 'account'; readonly path: string };

interface Account {
  readonly name: string;
  readonly address?: string;
  readonly pda?: { readonly seeds: readonly Seed[]; readonly program?: Seed };
}

interface Idl {
  readonly address: string;
  readonly instructions: readonly { readonly name: string; readonly accounts: readonly Account[] }[];
}

const idlOf = (name: string) => JSON.parse(readFileSync(`programs/artifacts/${name}.json`, 'utf8')) as Idl;
const IDLS = { bonding_curve: idlOf('bonding_curve'), graduation: idlOf('graduation') };

const mint = Keypair.generate().publicKey;
const payer = Keypair.generate().publicKey;
const { logAuthority, graduation } = DEFAULT_DEPLOYMENT;
const log = (authority: PublicKey) => ({ keys: [{ pubkey: authority }] });
const last = (instructions: TransactionInstruction[]) => instructions.at(-1)!;

const BUILT = {
  bonding_curve: {
    admin_set_properties: last(adminSetProperties(DEFAULT_PROPERTIES)),
    buy_token: last(buy({ mint, payer, solToSpend: 1n, minTokenToReceive: 0n })),
    create_token: last(createToken({ mint, payer, mintRentLamports: 1n, name: 'n', symbol: 's', uri: 'u' })),
    migrate: last(migrate({ mint })),
    sell_token: last(sell({ mint, payer, tokenToSpend: 1n, minSolToReceive: 0n })),
    validate_log_record: log(logAuthority.address),
  },
  graduation: {
    graduate: last(graduate({ mint, payer })),
    sweep: last(sweepFees()),
    validate_log_record: log(graduation.feeReceiver.address),
  },
} as const;

/** The accounts without seeds and without an address. A client of the IDL must pass them. */
const NAMED_BY_THE_CALLER: Readonly<Record<string, readonly string[]>> = {
  admin_set_properties: [],
  buy_token: ['payer_account', 'token_mint'],
  create_token: ['payer_account', 'token_mint'],
  graduate: ['payer_account', 'token_mint', 'pool_vault_0', 'pool_vault_1'],
  migrate: ['token_mint'],
  sell_token: ['payer_account', 'token_mint'],
  sweep: [],
  validate_log_record: [],
};

describe('the seeds in the IDLs', () => {
  for (const program of ['bonding_curve', 'graduation'] as const) {
    const idl = IDLS[program];
    it(`${program}: every instruction is compared`, () => {
      expect(idl.instructions.map(({ name }) => name)).to.have.members(Object.keys(BUILT[program]));
    });

    for (const { name, accounts } of idl.instructions) {
      const { keys } = BUILT[program][name as keyof (typeof BUILT)[typeof program]] as TransactionInstruction;

      it(`${program}: the seeds of ${name} derive the SDK's addresses`, () => {
        expect(keys).to.have.lengthOf(accounts.length);
        for (const [index, account] of accounts.entries()) {
          const expected = keys[index]!.pubkey.toBase58();
          if (account.address !== undefined) expect(account.address, account.name).to.equal(expected);
          if (account.pda !== undefined)
            expect(derived(account.pda, accounts, keys, idl).toBase58(), account.name).to.equal(expected);
        }
      });

      it(`${program}: the accounts of ${name} that a client must pass are as expected`, () => {
        const left = accounts.filter(({ address, pda }) => address === undefined && pda === undefined);
        expect(left.map((account) => account.name)).to.deep.equal(NAMED_BY_THE_CALLER[name]);
      });
    }
  }

  it('do not change when they are filled in a second time', () => {
    const [curve, pool] = [IDLS.bonding_curve, IDLS.graduation] as unknown as Parameters<
      typeof filledIdl
    >[0][];
    expect(filledIdl(curve!, CURVE_ACCOUNTS, [])).to.deep.equal(curve);
    expect(filledIdl(pool!, GRADUATION_ACCOUNTS, [curve!])).to.deep.equal(pool);
  });

  it('are required for every account: one without them is an error', () => {
    const curve = IDLS.bonding_curve as unknown as Parameters<typeof filledIdl>[0];
    expect(() => filledIdl(curve, { ...CURVE_ACCOUNTS, free: ['payer_account'] }, [])).to.throw(
      /^account token_mint: /,
    );
  });
});

function derived(
  { seeds, program }: NonNullable<Account['pda']>,
  accounts: readonly Account[],
  keys: TransactionInstruction['keys'],
  idl: Idl,
): PublicKey {
  const bytes = (seed: Seed) =>
    seed.kind === 'const'
      ? Uint8Array.from(seed.value)
      : keys[accounts.findIndex(({ name }) => name === seed.path)]!.pubkey.toBytes();
  const owner = program === undefined ? new PublicKey(idl.address) : new PublicKey(bytes(program));
  return PublicKey.findProgramAddressSync(seeds.map(bytes), owner)[0];
}
