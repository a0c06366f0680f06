// @curvekit/sdk/kit builds the same bytes as the main entry, and refuses the same arguments.
import { AccountRole, createNoopSigner, type Address } from '@solana/kit';
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import * as web3 from '@curvekit/sdk';
import type * as kitTypes from '@curvekit/sdk/kit';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { MINT_RENT } from '../../../tests/support/constants.js';
import { KIT_MAJORS, kitEntry } from '../../../tests/support/kit/kit-entry.js';
import { rejection } from '../../../tests/support/mocha/failures.js';

const key = () => Keypair.generate().publicKey;
const [mint, payer] = [key(), key()];
const account = key();

const TERMS = {
  ...{ mint, payer, name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' },
  mintRentLamports: MINT_RENT,
};
const SHARES = { afterMigrationFee: 500, afterMigrationBurnBp: 1_000, afterMigrationLpBp: 2_000 };
const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 3n };
const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 3n };
const FIRST_BUY = { solToSpend: 5n, minTokenToReceive: 0n };
const KEY_HELD = web3.KEY_HELD_DEPLOYMENT;
const OTHER = web3.createDeployment({
  programId: key(),
  admin: key(),
  feeReceiver: key(),
  dexOwner: key(),
  graduation: { programId: key(), treasury: key() },
});

const CURVE = { initialized: 1, virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
const STATE = { ...CURVE, afterMigrationFee: 0, afterMigrationBurnBp: 0, platformFeeBps: 100 };
const POOL = {
  amm: 'raydium-cpmm',
  sol: 85_000_000_000n,
  token: 206_900_000_000_000n,
  tradable: true,
  openTime: 0n,
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 0n,
  creatorFeeSide: 'input',
} as const;
const ON_CURVE: web3.Market = { venue: 'curve', mint, curve: STATE };
const POOL_ADDRESS = web3.poolAddress(mint).address;
const IN_POOL: web3.Market = {
  venue: 'pool',
  mint,
  curve: { ...STATE, initialized: 3 },
  pool: POOL,
  addresses: web3.AMM.addresses(POOL_ADDRESS, mint),
};
const WAITING: web3.Market = {
  venue: 'graduating',
  mint,
  curve: { ...STATE, initialized: 2 },
  poolAddress: POOL_ADDRESS,
};

/** A builder that both entries have, called with arguments of the main one. */
type Builder = 'createToken' | 'buy' | 'sell' | 'migrate' | 'adminSetProperties' | 'graduate' | 'sweepFees';
type Params = Readonly<Record<string, unknown>>;

const BUILT: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['a token', 'createToken', TERMS],
  ['a token with shares and a first buy', 'createToken', { ...TERMS, ...SHARES, firstBuy: FIRST_BUY }],
  ['a token whose mint has lamports', 'createToken', { ...TERMS, mintLamports: 1n }],
  ['a token whose mint has its rent', 'createToken', { ...TERMS, mintLamports: MINT_RENT }],
  ['a token of another build', 'createToken', { ...TERMS, firstBuy: FIRST_BUY, deployment: OTHER }],
  ['a buy', 'buy', BUY],
  ['a buy into an account', 'buy', { ...BUY, userTokenAccount: account }],
  ['a buy without an account', 'buy', { ...BUY, createTokenAccount: false }],
  ['a buy with a nonce', 'buy', { ...BUY, pdaTokenNonce: web3.curveAddress(mint).bump }],
  ['a buy of another build', 'buy', { ...BUY, deployment: OTHER }],
  ['a buy of a market', 'buy', { ...BUY, mint: undefined, market: ON_CURVE }],
  ['a buy from a pool', 'buy', { ...BUY, mint: undefined, market: IN_POOL }],
  ['a buy that keeps wrapped SOL', 'buy', { ...BUY, market: IN_POOL, keepWrappedSol: true }],
  ['a sell', 'sell', SELL],
  ['a sell from an account', 'sell', { ...SELL, userTokenAccount: account, closeTokenAccount: true }],
  ['a sell of another build', 'sell', { ...SELL, deployment: OTHER }],
  ['a sell to a pool', 'sell', { ...SELL, mint: undefined, market: IN_POOL, closeTokenAccount: true }],
  ['a migration', 'migrate', { mint }],
  ['a migration into an account', 'migrate', { mint, feeTokenAccount: account }],
  ['a migration of another build', 'migrate', { mint, deployment: OTHER }],
  ['properties', 'adminSetProperties', DEFAULT_PROPERTIES],
  ['properties of another build', 'adminSetProperties', { ...DEFAULT_PROPERTIES, deployment: OTHER }],
  ['a graduation', 'graduate', { mint, payer }],
  ['a sweep', 'sweepFees', {}],
  ['a sweep of another build', 'sweepFees', { deployment: OTHER }],
];

const zero = PublicKey.default;
/** 280e12 · (2^64 − 1) / 1,073e12. With more, the SOL reserve at graduation would overflow a u64. */
const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;
const otherNonce = (web3.curveAddress(mint).bump + 1) % 256;

const BOUNDS: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['the longest texts, in bytes', 'createToken', { ...TERMS, name: '🌊'.repeat(8), symbol: 'é'.repeat(5) }],
  ['the longest uri', 'createToken', { ...TERMS, uri: 'u'.repeat(200) }],
  ...[
    { initialVirtualToken: 10n ** 15n + 1n },
    { initialVirtualToken: 128n * 10n ** 13n - 1n },
    { initialVirtualSol: 1n, platformFeeBps: 0 },
    { initialVirtualSol: MOST_VIRTUAL_SOL, platformFeeBps: 1_000 },
  ].map(
    (values) =>
      ['properties at a bound', 'adminSetProperties', { ...DEFAULT_PROPERTIES, ...values }] as const,
  ),
];

/** What each builder refuses: the name of the argument, and the wrong values, one at a time. */
const REFUSED: readonly (readonly [
  builder: Builder,
  right: Params,
  argument: string,
  wrong: readonly Params[],
])[] = [
  ['buy', BUY, 'mint', [{ mint: undefined }, { mint: 5 }, { mint: zero }]],
  ['buy', BUY, 'payer', [{ payer: zero }]],
  ['buy', BUY, 'solToSpend', [0n, -1n, 1, 2n ** 64n].map((solToSpend) => ({ solToSpend }))],
  ['buy', BUY, 'minTokenToReceive', [{ minTokenToReceive: undefined }, { minTokenToReceive: -1n }]],
  ['buy', BUY, 'userTokenAccount', [{ userTokenAccount: {} }]],
  ['buy', BUY, 'createTokenAccount', [{ userTokenAccount: account, createTokenAccount: true }]],
  ['buy', BUY, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['buy', { ...BUY, market: IN_POOL }, 'solToSpend', [{ solToSpend: 0n }]],
  ['buy', { ...BUY, market: IN_POOL }, 'minTokenToReceive', [{ minTokenToReceive: -1n }]],
  ['buy', { ...BUY, market: IN_POOL }, 'payer', [{ payer: zero }]],
  ['sell', SELL, 'mint', [{ mint: zero }, { mint: undefined }]],
  ['sell', SELL, 'tokenToSpend', [{ tokenToSpend: 0n }, { tokenToSpend: 2n ** 64n }]],
  ['sell', SELL, 'minSolToReceive', [{ minSolToReceive: -1n }]],
  ['sell', SELL, 'userTokenAccount', [{ userTokenAccount: zero }]],
  ['sell', SELL, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['sell', { ...SELL, market: IN_POOL }, 'tokenToSpend', [{ tokenToSpend: 2n ** 64n }]],
  ['sell', { ...SELL, market: IN_POOL }, 'minSolToReceive', [{ minSolToReceive: -1n }]],
  ['migrate', { mint }, 'mint', [{ mint: 5 }]],
  ['migrate', { mint }, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['migrate', { mint }, 'feeTokenAccount', [{ feeTokenAccount: {} }]],
  ['createToken', TERMS, 'payer', [{ payer: zero }]],
  ['createToken', TERMS, 'mint', [{ mint: zero }]],
  [
    ...(['createToken', TERMS, 'name'] as const),
    ['', '\u3164\u200b\u2800', 'n'.repeat(33), '🌊'.repeat(9), '🌊'.slice(0, 1), 5].map((name) => ({ name })),
  ],
  ['createToken', TERMS, 'symbol', [{ symbol: '🌊'.slice(0, 1) }, { symbol: 's'.repeat(11) }]],
  ['createToken', TERMS, 'uri', [{ uri: undefined }, { uri: 'u'.repeat(201) }]],
  ['createToken', TERMS, 'afterMigrationFee', [{ afterMigrationFee: 99 }]],
  ['createToken', TERMS, 'afterMigrationBurnBp', [{ afterMigrationBurnBp: -1 }]],
  ['createToken', TERMS, 'afterMigrationHoldersBp', [{ afterMigrationHoldersBp: 10_001 }]],
  [
    ...(['createToken', TERMS, 'afterMigrationLpBp'] as const),
    [{ afterMigrationBurnBp: 9_999, afterMigrationLpBp: 2 }],
  ],
  ['createToken', TERMS, 'firstBuy.solToSpend', [{ firstBuy: { ...FIRST_BUY, solToSpend: 0n } }]],
  [
    'createToken',
    TERMS,
    'firstBuy.minTokenToReceive',
    [{ firstBuy: { ...FIRST_BUY, minTokenToReceive: -1n } }],
  ],
  ['createToken', TERMS, 'mintLamports', [{ mintLamports: -1n }]],
  [
    'createToken',
    TERMS,
    'mintRentLamports',
    [0n, undefined, 2n ** 53n].map((mintRentLamports) => ({ mintRentLamports })),
  ],
  ['createToken', TERMS, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'initialVirtualSol'] as const),
    [0n, -1n, MOST_VIRTUAL_SOL + 1n, 2n ** 64n].map((initialVirtualSol) => ({ initialVirtualSol })),
  ],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'initialVirtualToken'] as const),
    [{ initialVirtualToken: 10n ** 15n }, { initialVirtualToken: 128n * 10n ** 13n }],
  ],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'platformFeeBps'] as const),
    [1_001, -1, 1.5, 100n].map((platformFeeBps) => ({ platformFeeBps })),
  ],
];

/** Refused for another reason than an argument. */
const CLOSED: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['a sell before the pool', 'sell', { ...SELL, market: WAITING }],
  ['a buy before the pool', 'buy', { ...BUY, market: WAITING }],
  ['a graduation by a key', 'graduate', { mint, payer, deployment: KEY_HELD }],
];

for (const major of KIT_MAJORS) {
  describe(`@curvekit/sdk/kit on ${major}, beside the main entry`, () => {
    let kit: typeof kitTypes;

    before(async () => (kit = await kitEntry(major)));

    function buildWithKit(builder: Builder, params: Params): Promise<kitTypes.SignableInstruction[]> {
      return (kit[builder] as unknown as (params: Params) => Promise<kitTypes.SignableInstruction[]>)(
        kitBuilderParams(builder, params),
      );
    }
    for (const [name, builder, params] of [...BUILT, ...BOUNDS]) {
      it(`builds the same: ${name}`, async () => {
        const built = await buildWithKit(builder, params);
        const expected = buildWithWeb3(builder, params).map((one) => kitInstruction(one));
        expect(
          built.map(({ accounts, ...rest }) => ({ ...rest, accounts: accounts.map(withoutSigner) })),
        ).to.deep.equal(expected);
        const unsigned = built
          .flatMap(({ accounts }) => accounts)
          .filter(({ role }) => role === AccountRole.READONLY_SIGNER || role === AccountRole.WRITABLE_SIGNER)
          .filter((meta) => !('signer' in meta));
        expect(unsigned, 'signers that are not attached').to.deep.equal([]);
      });
    }

    async function expectRefused(builder: Builder, params: Params, argument?: string): Promise<void> {
      const expected = failureOf(() => buildWithWeb3(builder, params));
      const failure = await rejection(buildWithKit(builder, params), kit.CurvekitError);
      expect(described(failure)).to.deep.equal(described(expected));
      if (argument !== undefined) expect(failure).to.include({ name: 'InvalidArgumentError', argument });
    }
    for (const [builder, right, argument, wrong] of REFUSED) {
      it(`refuses a wrong ${argument} of ${builder}() by name, with the same words`, async () => {
        for (const one of wrong) await expectRefused(builder, { ...right, ...one }, argument);
      });
    }
    for (const [name, builder, params] of CLOSED)
      it(`refuses ${name} with the same words`, () => expectRefused(builder, params));

    it('refuses an argument that is not a signer, or not the signer compiled into the program, and names it', async () => {
      const wrong: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['payer', () => kit.buy({ ...kitParams(BUY), payer: mint.toBase58() } as never)],
        ['payer', () => kit.sell({ ...kitParams(SELL), payer: undefined } as never)],
        ['payer', () => kit.graduate({ mint: mint.toBase58(), payer: { address: 'short' } } as never)],
        ['mint', () => kit.createToken({ ...kitParams(TERMS), mint: mint.toBase58() } as never)],
        ['admin', () => kit.sweepFees({ admin: createNoopSigner(addressOf(payer)) })],
        [
          'feeReceiver',
          () => kit.migrate({ mint: addressOf(mint), feeReceiver: createNoopSigner(addressOf(payer)) }),
        ],
      ];
      for (const [argument, work] of wrong) {
        const error = await rejection(work(), kit.InvalidArgumentError);
        expect(error.argument).to.equal(argument);
      }
    });

    it('derives the same addresses', async () => {
      const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
      for (const deployment of [web3.DEFAULT_DEPLOYMENT, OTHER]) {
        const theirs = plain(deployment) as kitTypes.Deployment;
        const mine = [
          web3.tokenAddresses(mint, deployment),
          web3.curveAddress(mint, deployment),
          web3.poolAddress(mint, deployment),
          web3.associatedTokenAddress(payer, mint),
        ];
        const [token, wallet] = [addressOf(mint), addressOf(payer)];
        const kits = [
          await kit.tokenAddresses(token, theirs),
          await kit.curveAddress(token, theirs),
          await kit.poolAddress(token, theirs),
          await kit.associatedTokenAddress(wallet, token),
        ];
        expect(kits).to.deep.equal(plain(mine));
        const { programId, admin: owner, feeReceiver: receiver, dexOwner } = theirs;
        const { programId: pools, treasury } = theirs.graduation;
        const overrides = { programId, admin: owner, feeReceiver: receiver, dexOwner };
        const made = await kit.createDeployment({ ...overrides, graduation: { programId: pools, treasury } });
        expect(made).to.deep.equal(theirs);
      }
      expect(kit.DEFAULT_DEPLOYMENT).to.deep.equal(plain(web3.DEFAULT_DEPLOYMENT));
      expect(kit.KEY_HELD_DEPLOYMENT).to.deep.equal(plain(KEY_HELD));
    });

    it('quotes the same, and its errors contain addresses as strings', () => {
      for (const market of [ON_CURVE, IN_POOL]) {
        const theirs = kitMarket(market);
        expect(kit.quoteBuy(theirs, 10n ** 9n, 100)).to.deep.equal(web3.quoteBuy(market, 10n ** 9n, 100));
        expect(kit.quoteBuyExactOut(theirs, 10n ** 9n)).to.deep.equal(
          web3.quoteBuyExactOut(market, 10n ** 9n),
        );
      }
      expect(kit.quoteSell(kitMarket(IN_POOL), 10n ** 9n)).to.deep.equal(web3.quoteSell(IN_POOL, 10n ** 9n));
      const sold = { ...STATE, virtualToken: CURVE.virtualToken - 10n ** 12n };
      const traded = { tokenAmount: 10n ** 9n, paid: 10n ** 9n, received: 0n };
      expect(kit.positionOf(kitMarket(IN_POOL), 10n ** 9n, traded)).to.deep.equal(
        web3.positionOf(IN_POOL, 10n ** 9n, traded),
      );
      expect(kit.quoteSellExactOut(sold, 1_000n)).to.deep.equal(web3.quoteSellExactOut(sold, 1_000n));
      const moved = failureOf(() => kit.quoteBuy(kitMarket(WAITING), 1n));
      expect(described(moved)).to.deep.equal(described(failureOf(() => web3.quoteBuy(WAITING, 1n))));
      expect(moved)
        .to.be.instanceOf(kit.TradingMovedError)
        .with.property('poolAddress', POOL_ADDRESS.toBase58());
    });
  });
}

function buildWithWeb3(builder: Builder, params: Params): TransactionInstruction[] {
  return (web3[builder] as (params: Params) => TransactionInstruction[])(params);
}

/** The same instruction for Kit, without signers. */
function kitInstruction({ programId, keys, data }: TransactionInstruction) {
  const roleOf = (isSigner: boolean, isWritable: boolean): AccountRole => {
    if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
    return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
  };
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: addressOf(pubkey),
    role: roleOf(isSigner, isWritable),
  }));
  return { programAddress: addressOf(programId), accounts, data: Uint8Array.from(data) };
}

/** Adds the signers that the main entry takes from the deployment. */
function kitBuilderParams(builder: Builder, params: Params): Params {
  const { deployment = web3.DEFAULT_DEPLOYMENT } = params as { deployment?: web3.Deployment };
  const signers = {
    ...((builder === 'adminSetProperties' || builder === 'sweepFees') && { admin: deployment.admin }),
    ...(builder === 'migrate' && { feeReceiver: deployment.feeReceiver }),
  };
  return kitParams({ ...params, ...signers }, builder === 'createToken');
}

function kitParams(params: Params, mintSigns = false): Params {
  const signers = new Set(['payer', 'admin', 'feeReceiver', ...(mintSigns ? ['mint'] : [])]);
  const entries = Object.entries(params).map(([name, value]) => {
    if (value instanceof PublicKey)
      return [name, signers.has(name) ? createNoopSigner(addressOf(value)) : addressOf(value)];
    return [name, name === 'deployment' || name === 'market' ? kitMarket(value) : value];
  });
  return Object.fromEntries(entries) as Params;
}

function kitMarket<T>(value: T): T extends web3.Market ? kitTypes.Market : unknown {
  const converted = (item: unknown): unknown => {
    if (item instanceof PublicKey) return addressOf(item);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([name, field]) => [name, converted(field)]));
  };
  return converted(value) as never;
}

function addressOf(value: PublicKey): Address {
  return value.toBase58() as Address;
}

function withoutSigner({ address, role }: { address: Address; role: AccountRole }) {
  return { address, role };
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The properties of an error that callers see, with keys as strings. */
function described(error: unknown) {
  const { name, message, argument, code } = error as Error & { argument?: string; code?: number };
  const said = message.replace(/a PublicKey|an Address, 32 bytes in base58/, 'a key');
  return { name, message: said, argument, code };
}
