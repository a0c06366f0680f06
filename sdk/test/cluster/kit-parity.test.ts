// @curvekit/sdk/kit builds the same bytes as the main entry, and refuses the same arguments.
import { AccountRole, createNoopSigner, type Address } from '@solana/kit';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import * as web3 from '@curvekit/sdk';
import type * as kitTypes from '@curvekit/sdk/kit';
import { kitInstruction } from '../../../tests/support/kit/convert.js';
import { KIT_MAJORS, kitEntry } from '../../../tests/support/kit/kit-entry.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import {
  TERMS,
  BUY,
  SELL,
  KEY_HELD,
  OTHER,
  CURVE,
  STATE,
  ON_CURVE,
  POOL_ADDRESS,
  IN_POOL,
  WAITING,
  type Builder,
  type Params,
  BUILT,
  BOUNDS,
  CLOSED,
  REFUSED,
  mint,
  payer,
} from '../../../tests/support/kit/parity-cases.js';

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

    it('explains the format of an address when it gets another string', async () => {
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
      expect(kit.positionResult(kitMarket(IN_POOL), 10n ** 9n, traded)).to.deep.equal(
        web3.positionResult(IN_POOL, 10n ** 9n, traded),
      );
      expect(kit.quoteSellExactOut(sold, 1_000n)).to.deep.equal(web3.quoteSellExactOut(sold, 1_000n));
      const moved = failureOf(() => kit.quoteBuy(kitMarket(WAITING), 1n));
      expect(described(moved)).to.deep.equal(described(failureOf(() => web3.quoteBuy(WAITING, 1n))));
      expect(moved)
        .to.be.instanceOf(kit.TradingMovedError)
        .with.property('poolAddress', POOL_ADDRESS.toBase58());
    });

    it('describes a failed instruction as the main entry does', async () => {
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

/** Adds the signers that the main entry takes from the deployment. */
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

/** The properties of an error that callers see, with keys as strings. */
function described(error: unknown) {
  const { name, message, argument, code } = error as Error & { argument?: string; code?: number };
  const said = message.replace(/a PublicKey|an Address, 32 bytes in base58/, 'a key');
  return { name, message: said, argument, code };
}
