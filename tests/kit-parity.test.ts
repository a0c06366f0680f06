// @curvekit/sdk/kit builds what the main entry builds, to the byte, and refuses what it refuses.
import { AccountRole, createNoopSigner, type Address } from '@solana/kit';
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import * as web3 from '@curvekit/sdk';
import type * as kitTypes from '@curvekit/sdk/kit';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { kitInstruction } from '#tests/kit/convert.js';
import { KIT_MAJORS, kitEntry } from '#tests/kit/kit-entry.js';

const key = () => Keypair.generate().publicKey;
const [mint, payer, account] = [key(), key(), key()];

const TERMS = { mint, payer, name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' };
const SHARES = { afterMigrationFee: 500, afterMigrationBurnBp: 1_000, afterMigrationLpBp: 2_000 };
const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 3n };
const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 3n };
const FIRST_BUY = { solToSpend: 5n, minTokenToReceive: 0n };
const GRADUATING = web3.GRADUATING_DEPLOYMENT;
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

/** A builder of both entries, with arguments of the main one. */
type Builder = 'createToken' | 'buy' | 'sell' | 'migrate' | 'adminSetProperties' | 'graduate' | 'sweepFees';
type Params = Readonly<Record<string, unknown>>;

const BUILT: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['a token', 'createToken', TERMS],
  ['a token with shares and a first buy', 'createToken', { ...TERMS, ...SHARES, firstBuy: FIRST_BUY }],
  ['a token whose mint has lamports', 'createToken', { ...TERMS, mintLamports: 1n }],
  ['a token whose mint has its rent', 'createToken', { ...TERMS, mintLamports: web3.MINT_ACCOUNT_RENT }],
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
  ['a graduation', 'graduate', { mint, payer, deployment: GRADUATING }],
  ['a sweep', 'sweepFees', {}],
  ['a sweep of another build', 'sweepFees', { deployment: OTHER }],
];

const text = mint.toBase58();
const zero = SystemProgram.programId;
const REFUSED: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['no mint', 'buy', { ...BUY, mint: undefined }],
  ['the zero key as mint', 'sell', { ...SELL, mint: zero }],
  ['a mint that is a number', 'migrate', { mint: 5 }],
  ['the zero key as payer', 'createToken', { ...TERMS, payer: zero }],
  ['the zero key as new mint', 'createToken', { ...TERMS, mint: zero }],
  ['a buy of nothing', 'buy', { ...BUY, solToSpend: 0n }],
  ['a buy of a number', 'buy', { ...BUY, solToSpend: 1 }],
  ['a buy above u64', 'buy', { ...BUY, solToSpend: 2n ** 64n }],
  ['no minimum', 'buy', { ...BUY, minTokenToReceive: undefined }],
  ['a token account that is none', 'buy', { ...BUY, userTokenAccount: {} }],
  ['the zero key as token account', 'sell', { ...SELL, userTokenAccount: zero }],
  ['a given account to create', 'buy', { ...BUY, userTokenAccount: account, createTokenAccount: true }],
  ['another nonce', 'buy', { ...BUY, pdaTokenNonce: 1 }],
  ['another nonce', 'sell', { ...SELL, pdaTokenNonce: 1 }],
  ['another nonce', 'createToken', { ...TERMS, pdaTokenNonce: 1 }],
  ['a sell of nothing', 'sell', { ...SELL, tokenToSpend: 0n }],
  ['a negative minimum', 'sell', { ...SELL, minSolToReceive: -1n }],
  ['a sell before the pool', 'sell', { ...SELL, market: WAITING }],
  ['a buy before the pool', 'buy', { ...BUY, market: WAITING }],
  ['a pool buy of nothing', 'buy', { ...BUY, market: IN_POOL, solToSpend: 0n }],
  ['no name', 'createToken', { ...TERMS, name: '' }],
  ['33 bytes of name', 'createToken', { ...TERMS, name: 'n'.repeat(33) }],
  ['half an emoji', 'createToken', { ...TERMS, symbol: '🌊'.slice(0, 1) }],
  ['no uri', 'createToken', { ...TERMS, uri: undefined }],
  ['a fee outside the set', 'createToken', { ...TERMS, afterMigrationFee: 99 }],
  ['too large shares', 'createToken', { ...TERMS, afterMigrationBurnBp: 9_999, afterMigrationLpBp: 2 }],
  ['a first buy of nothing', 'createToken', { ...TERMS, firstBuy: { ...FIRST_BUY, solToSpend: 0n } }],
  ['negative lamports', 'createToken', { ...TERMS, mintLamports: -1n }],
  ['no virtual SOL', 'adminSetProperties', { ...DEFAULT_PROPERTIES, initialVirtualSol: 0n }],
  ['too few virtual tokens', 'adminSetProperties', { ...DEFAULT_PROPERTIES, initialVirtualToken: 1n }],
  ['a fee above 10 %', 'adminSetProperties', { ...DEFAULT_PROPERTIES, platformFeeBps: 1_001 }],
  ['a graduation by a key', 'graduate', { mint, payer }],
];

for (const major of KIT_MAJORS) {
  describe(`@curvekit/sdk/kit on ${major}, beside the main entry`, () => {
    let kit: typeof kitTypes;

    before(async () => {
      kit = await kitEntry(major);
    });

    function buildWithKit(builder: Builder, params: Params): Promise<kitTypes.SignableInstruction[]> {
      return (kit[builder] as unknown as (params: Params) => Promise<kitTypes.SignableInstruction[]>)(
        kitBuilderParams(builder, params),
      );
    }
    for (const [name, builder, params] of BUILT) {
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

    for (const [name, builder, params] of REFUSED) {
      it(`refuses the same: ${builder}, ${name}`, async () => {
        const expected = failureOf(() => buildWithWeb3(builder, params));
        const failure = await buildWithKit(builder, params).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(described(failure)).to.deep.equal(described(expected));
        expect(failure).to.be.instanceOf(kit.CurvekitError);
      });
    }

    it('refuses what is no signer, or another than the build’s, by name', async () => {
      const wrong: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['payer', () => kit.buy({ ...kitParams(BUY), payer: text } as never)],
        ['payer', () => kit.sell({ ...kitParams(SELL), payer: undefined } as never)],
        ['payer', () => kit.graduate({ mint: text, payer: { address: 'short' } } as never)],
        ['mint', () => kit.createToken({ ...kitParams(TERMS), mint: text } as never)],
        ['admin', () => kit.sweepFees({ admin: createNoopSigner(addressOf(payer)) })],
        [
          'feeReceiver',
          () => kit.migrate({ mint: addressOf(mint), feeReceiver: createNoopSigner(addressOf(payer)) }),
        ],
      ];
      for (const [argument, work] of wrong) {
        const error = await work().then(
          () => undefined,
          (caught: unknown) => caught,
        );
        expect(error, argument)
          .to.be.instanceOf(kit.InvalidArgumentError)
          .with.property('argument', argument);
      }
    });

    it('says what an address is to whoever gives another text', async () => {
      const params = { ...kitParams(BUY), mint: 'short' };
      const error = await kit.buy(params as never).catch((caught: unknown) => caught);
      expect(error).to.have.property(
        'message',
        'mint is of type string; it must be an Address, 32 bytes in base58',
      );
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
      expect(kit.GRADUATING_DEPLOYMENT).to.deep.equal(plain(GRADUATING));
    });

    it('quotes the same, and refuses to with addresses', () => {
      for (const market of [ON_CURVE, IN_POOL]) {
        const theirs = kitMarket(market);
        expect(kit.quoteBuy(theirs, 10n ** 9n, 100)).to.deep.equal(web3.quoteBuy(market, 10n ** 9n, 100));
        expect(kit.quoteBuyExactOut(theirs, 10n ** 9n)).to.deep.equal(
          web3.quoteBuyExactOut(market, 10n ** 9n),
        );
      }
      expect(kit.quoteSell(kitMarket(IN_POOL), 10n ** 9n)).to.deep.equal(web3.quoteSell(IN_POOL, 10n ** 9n));
      const sold = { ...STATE, virtualToken: CURVE.virtualToken - 10n ** 12n };
      expect(kit.quoteSellExactOut(sold, 1_000n)).to.deep.equal(web3.quoteSellExactOut(sold, 1_000n));
      const moved = failureOf(() => kit.quoteBuy(kitMarket(WAITING), 1n));
      expect(described(moved)).to.deep.equal(described(failureOf(() => web3.quoteBuy(WAITING, 1n))));
      expect(moved)
        .to.be.instanceOf(kit.TradingMovedError)
        .with.property('poolAddress', POOL_ADDRESS.toBase58());
    });

    it('names a failed instruction in words, as the main entry does', async () => {
      const instructions = web3.buy(BUY);
      const err = { InstructionError: [1, { Custom: 6003 }] };
      const failure = kit.transactionError(err, { instructions: await kit.buy(kitParams(BUY) as never) });
      expect(described(failure)).to.deep.equal(described(web3.transactionError(err, { instructions })));
      expect(kit.isProgramError(failure, 'SlippageError')).to.equal(true);
      const bigints = { InstructionError: [1n, { Custom: 6003n }] };
      expect(
        kit.transactionError(bigints, { instructions: await kit.buy(kitParams(BUY) as never) }).message,
      ).to.equal(failure.message);
    });
  });
}

function buildWithWeb3(builder: Builder, params: Params): TransactionInstruction[] {
  return (web3[builder] as (params: Params) => TransactionInstruction[])(params);
}

/** What the main entry takes from the deployment, Kit takes as a signer. */
function kitBuilderParams(builder: Builder, params: Params): Params {
  const { deployment = web3.DEFAULT_DEPLOYMENT } = params as { deployment?: web3.Deployment };
  const signers = {
    ...((builder === 'adminSetProperties' || builder === 'sweepFees') && { admin: deployment.admin }),
    ...(builder === 'migrate' && { feeReceiver: deployment.feeReceiver }),
  };
  return kitParams({ ...params, ...signers }, builder === 'createToken');
}

/** The same parameters for Kit. */
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

/** What callers see of an error, whatever a key is called. */
function described(error: unknown) {
  const { name, message, argument, code } = error as Error & { argument?: string; code?: number };
  const said = message.replace(/a PublicKey|an Address, 32 bytes in base58/, 'a key');
  return { name, message: said, argument, code };
}
