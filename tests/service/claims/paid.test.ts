// The life of a claim: its transaction, what it pays and to which account, and how it ends with a lying wallet or RPC node.
// threat: changed-claim, priority-fee, paid-after-expiry
import { expect } from 'chai';
import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress } from '@curvekit/sdk';
import { credit } from '#app/ledger/credit.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { expireBlockhashes, initiate, reward, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';
import { buyTokens } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { ACCOUNT_RENT, NETWORK_FEE, TOKENS, useClaims, WALLET_RENT } from '#tests/service/claims.js';

describe(`the life of a claim (${DATABASE_KIND})`, () => {
  const { cluster, scene, proxy, rewarded, counted, claimSol, claimTokens, submit, unclaimed, ...claims } =
    useClaims();
  const { tokensOf, submitRaw } = claims;
  const holds = (wallet: { publicKey: PublicKey }) => lamportsOf(cluster().connection, wallet.publicKey);
  const signatureOf = ({ signatures }: VersionedTransaction) => bs58.encode(signatures[0]!);
  const accountOf = ({ publicKey }: { publicKey: PublicKey }) =>
    associatedTokenAddress(publicKey, scene.token.mint).address;
  const until = (signature: string, state: string) => untilClaim(scene.api, signature, state);
  async function completed(signature: string): Promise<void> {
    await finalize(cluster());
    await until(signature, 'COMPLETED');
  }
  /** Claims whose transactions were handed out, by asset, and those among them that open a token account. */
  const handedOut = async () => ({
    SOL: await counted('curvekit_claims_initiated_total', { asset: 'SOL' }),
    TOKEN: await counted('curvekit_claims_initiated_total', { asset: 'TOKEN' }),
    opening: await counted('curvekit_claims_opening_accounts_total'),
  });

  describe('pays', () => {
    it('an empty wallet its SOL without the network fee, once, also when it is submitted twice', async () => {
      const wallet = await rewarded('SOL', SOL);
      const counts = await handedOut();
      const transaction = transactionOf(await claimSol(wallet));
      expect(await handedOut()).to.deep.equal({ ...counts, SOL: counts.SOL + 1 });
      const { message, version } = transaction;
      const { treasury } = scene;
      expect([version, message.staticAccountKeys[0]!.equals(treasury.publicKey)]).to.deep.equal([0, true]);
      // Only the two wallets are written: other transactions wait for an account that is written for nothing.
      const written = message.staticAccountKeys.filter((_, index) => message.isAccountWritable(index));
      expect(written.map(String)).to.have.members(
        [treasury, wallet].map(({ publicKey }) => String(publicKey)),
      );
      const signature = signatureOf(transaction);
      await until(signature, 'IN_PROGRESS');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });

      const before = await holds(treasury);
      transaction.sign([wallet]);
      await cluster().sendSigned(transaction);
      await submitRaw(transaction).catch(() => undefined);
      expect([await holds(wallet), await holds(treasury)]).to.deep.equal([SOL - NETWORK_FEE, before - SOL]);
      await until(signature, 'IN_PROGRESS');
      await completed(signature);
      expect([await holds(wallet), await holds(treasury)]).to.deep.equal([SOL - NETWORK_FEE, before - SOL]);
      expect((await claimSol(wallet)).body['code']).to.equal('CLAIM_ERROR');
    });

    it("SOL above the network fee, plus the wallet's rent if the wallet does not exist", async () => {
      for (const [has, least, why] of [
        [0n, NETWORK_FEE + WALLET_RENT, 'the network fee and the rent of a new wallet'],
        [WALLET_RENT, NETWORK_FEE, 'the network fee'],
      ] as const) {
        const wallet = await rewarded('SOL', least);
        if (has > 0n) await cluster().fund(wallet.publicKey, has);
        const { status, body } = await claimSol(wallet);
        expect([status, body['code'], body['message']]).to.deep.equal([
          400,
          'CLAIM_ERROR',
          `The SOL amount to claim is ${least} lamports; it must be above ${least}, ${why}. It stays credited and is paid together with the next rewards of this token`,
        ]);
        expect(await unclaimed(wallet)).to.deep.equal({ sol: least, token: 0n });
        await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1n);
        await submit(await claimSol(wallet), wallet);
        expect(await holds(wallet)).to.equal(WALLET_RENT + 1n);
      }
    });

    const buys = async (wallet: Keypair) => {
      await cluster().fund(wallet.publicKey, SOL);
      await buyTokens(cluster(), scene.token, wallet, SOL / 2n);
    };
    const giftToAddress = (wallet: Keypair) => cluster().fund(accountOf(wallet), WALLET_RENT);
    /** What the treasury pays beside the tokens. */
    const TOKEN_CLAIMS: readonly [string, (wallet: Keypair) => unknown, burn: boolean, costs: bigint][] = [
      ['to a new account', () => undefined, false, NETWORK_FEE + ACCOUNT_RENT],
      [
        'to a new account to whose address a stranger has sent lamports',
        giftToAddress,
        false,
        NETWORK_FEE + ACCOUNT_RENT - WALLET_RENT,
      ],
      ["to the wallet's account", buys, false, NETWORK_FEE],
      ['to be burned, and no account stays behind', () => undefined, true, NETWORK_FEE],
      ["to be burned in the wallet's account, which keeps its own", buys, true, NETWORK_FEE],
    ];
    for (const [name, prepare, burn, costs] of TOKEN_CLAIMS)
      it(`tokens ${name}`, async () => {
        const { treasury, token } = scene;
        const wallet = await rewarded('TOKEN', TOKENS);
        await prepare(wallet);
        const state = async () => ({
          wallet: await tokensOf(wallet.publicKey).catch(() => 0n),
          treasury: await tokensOf(treasury.publicKey),
          supply: BigInt((await cluster().connection.getTokenSupply(token.mint)).value.amount),
          lamports: await holds(treasury),
          opening: (await handedOut()).opening,
        });
        const before = await state();
        const signature = await submit(await claimTokens(wallet, burn), wallet);
        expect(await state()).to.deep.equal({
          wallet: before.wallet + (burn ? 0n : TOKENS),
          treasury: before.treasury - TOKENS,
          supply: before.supply - (burn ? TOKENS : 0n),
          lamports: before.lamports - costs,
          opening: before.opening + (costs > NETWORK_FEE ? 1 : 0),
        });
        const account = await cluster().connection.getAccountInfo(accountOf(wallet));
        expect(account !== null).to.equal(!burn || prepare === buys);
        await completed(signature);
      });

    it('equal amounts of two tokens with two transactions', async () => {
      const wallet = await rewarded('SOL', SOL);
      const other = Keypair.generate().publicKey.toBase58();
      await reward(scene.database, wallet.publicKey, other, 'SOL', SOL);
      const answers = await Promise.all([
        claimSol(wallet),
        initiate(scene, wallet, { claimType: 'SOL', tokenAddress: other }),
      ]);
      for (const answer of answers) await submit(answer, wallet);
      expect(await holds(wallet)).to.equal(2n * (SOL - NETWORK_FEE));
    });

    it('rewards that arrive during a claim with the next one, and those of referrals together with the others', async () => {
      const wallet = await rewarded('SOL', SOL);
      const signature = await submit(await claimSol(wallet), wallet);
      await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 2n * SOL);
      const [database, mint] = [scene.database, scene.mint];
      const credits = [{ wallet: wallet.publicKey.toBase58(), amount: SOL }];
      await database.transaction((tx) =>
        credit(tx, 'referral', { key: 'a referral', mint, asset: 'SOL', credits }),
      );
      await database.queries.execute(sql`select treasury_fund('both', ${String(SOL)}::numeric, 1)`);
      expect((await claimSol(wallet)).status).to.equal(409);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 3n * SOL, token: 0n });
      await completed(signature);
      await submit(await claimSol(wallet), wallet);
      expect(await holds(wallet)).to.equal(4n * SOL - 2n * NETWORK_FEE);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
    });
  });

  describe('ends', () => {
    it('as FAILED when its transaction fails, at finalized commitment, and its amount can be claimed again', async () => {
      // The wallet empties its account before the claim lands, so the claim would leave it below rent exemption.
      const wallet = await rewarded('SOL', NETWORK_FEE + 1n);
      await cluster().fund(wallet.publicKey, SOL);
      const transaction = transactionOf(await claimSol(wallet));
      const drain = SystemProgram.transfer({
        fromPubkey: wallet.publicKey,
        toPubkey: cluster().payer.publicKey,
        lamports: SOL,
      });
      await cluster().send([drain], [cluster().payer, wallet]);
      transaction.sign([wallet]);
      await submitRaw(transaction);
      await until(signatureOf(transaction), 'IN_PROGRESS');
      await finalize(cluster());
      await until(signatureOf(transaction), 'FAILED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: NETWORK_FEE + 1n, token: 0n });
      await cluster().fund(wallet.publicKey, SOL);
      await submit(await claimSol(wallet), wallet);
      expect(await holds(wallet)).to.equal(SOL + 1n);
    });

    it('as EXPIRED when it is not submitted, once its blockhash is provably too old; only the next one can pay', async () => {
      const wallet = await rewarded('SOL', SOL);
      const transaction = transactionOf(await claimSol(wallet));
      await expireBlockhashes(cluster());
      await until(signatureOf(transaction), 'EXPIRED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      const again = await claimSol(wallet);
      transaction.sign([wallet]);
      // The RPC node may reject it, or accept and drop it.
      await submitRaw(transaction).catch(() => undefined);
      await submit(again, wallet);
      await finalize(cluster());
      expect(await holds(wallet)).to.equal(SOL - NETWORK_FEE);
      const { value } = await cluster().connection.getSignatureStatus(signatureOf(transaction), {
        searchTransactionHistory: true,
      });
      expect(value).to.equal(null);
    });

    it('as it ended on chain when the RPC node was down meanwhile; nothing new is reserved before', async () => {
      const [submitted, never] = [await rewarded('SOL', SOL), await rewarded('SOL', SOL)];
      const [paid, unpaid] = [await claimSol(submitted), transactionOf(await claimSol(never))];
      proxy().setDown(true);
      atEnd(() => proxy().setDown(false));
      const signature = await submit(paid, submitted);
      const wallet = await rewarded('SOL', SOL);
      const refused = await claimSol(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      const ready = await fetch(`${scene.service.url}/ready`);
      expect(await ready.json()).to.deep.include({ status: 'not ready' });
      // Long enough that both transactions are found only in the history.
      await expireBlockhashes(cluster());
      await until(signature, 'IN_PROGRESS');
      proxy().setDown(false);
      await until(signature, 'COMPLETED');
      await until(signatureOf(unpaid), 'EXPIRED');
      expect((await claimSol(wallet)).status).to.equal(200);
    });

    const statuses = (result: unknown, slot?: number) => {
      const { context, value } = result as { context: { slot: number }; value: unknown[] };
      return { context: { slot: slot ?? context.slot }, value: value.map(() => null) };
    };
    const invalidSince = (slot: number) => ({ context: { slot }, value: false });
    /** What a node answers to the methods that it lies about. In each case the height is far ahead, and the transaction unknown. */
    const LIES: Readonly<Record<string, Readonly<Record<string, (result: unknown) => unknown>>>> = {
      'the height only': { getSignatureStatuses: (result) => statuses(result) },
      'it is too old to know the blockhash': {
        getSignatureStatuses: (result) => statuses(result),
        isBlockhashValid: () => invalidSince(1),
      },
      'its statuses are behind': {
        getSignatureStatuses: (result) => statuses(result, 1_000_010),
        isBlockhashValid: () => invalidSince(1_000_000),
      },
      'its history begins later': {
        getSignatureStatuses: (result) => statuses(result, 2_000_000),
        isBlockhashValid: () => invalidSince(1_000_000),
        getFirstAvailableBlock: () => 999_000,
      },
    };
    it('not while the RPC node lags, lacks history, or reports wrongly that the transaction is gone', async () => {
      const wallet = await rewarded('SOL', SOL);
      const signature = await submit(await claimSol(wallet), wallet);
      const rounds = async (requests: number) => {
        const asked = () => proxy().calls.get('getSignatureStatuses') ?? 0;
        const before = asked();
        while (asked() < before + requests) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      for (const [name, lie] of Object.entries(LIES)) {
        proxy().rewrite(({ method }, result) => farAhead(method, result) ?? lie[method]?.(result) ?? result);
        // Several passes of the reconciler.
        await rounds(10);
        proxy().rewrite(undefined);
        // Until the current pass is over, because a pass must not see answers of two cases.
        await rounds(4);
        const { body } = await scene.api.get(`/rewards/${signature}/status`);
        expect((body['data'] as { status: string }).status, name).to.equal('IN_PROGRESS');
      }
      await completed(signature);
    });
  });

  describe('is worth nothing when the wallet changes', () => {
    const transfer = (to: PublicKey, lamports: bigint) =>
      SystemProgram.transfer({ fromPubkey: scene.treasury.publicKey, toPubkey: to, lamports });
    const CHANGES: Record<string, (message: TransactionMessage, wallet: Keypair) => void> = {
      'the amount': (message, { publicKey }) => {
        message.instructions[0]!.data = transfer(publicKey, 2n * SOL).data;
      },
      'the destination': (message, { publicKey }) => {
        message.instructions = [
          transfer(Keypair.generate().publicKey, SOL),
          // Keeps the wallet as a signer.
          SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 0 }),
        ];
      },
      'the priority fee': (message) => {
        message.instructions.unshift(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10 ** 9 }));
      },
    };
    async function expectRejected(forged: VersionedTransaction): Promise<void> {
      const before = await holds(scene.treasury);
      expect((await rejection(submitRaw(forged), Error)).message).to.match(/signature/i);
      expect(await holds(scene.treasury)).to.equal(before);
    }
    for (const [name, change] of Object.entries(CHANGES))
      it(name, async () => {
        const wallet = await rewarded('SOL', SOL);
        const original = transactionOf(await claimSol(wallet));
        await expectRejected(original);
        const message = TransactionMessage.decompile(original.message);
        change(message, wallet);
        const forged = new VersionedTransaction(message.compileToV0Message());
        forged.sign([wallet]);
        // The treasury's signature is of the old message.
        forged.addSignature(scene.treasury.publicKey, original.signatures[0]!);
        await expectRejected(forged);
        // The original still pays.
        original.sign([wallet]);
        await cluster().sendSigned(original);
        expect(await holds(wallet)).to.equal(SOL - NETWORK_FEE);
      });
  });
});

/** A block height past every blockhash, for methods that return one; otherwise undefined. */
function farAhead(method: string, result: unknown): unknown {
  if (method === 'getBlockHeight') return 10_000_000;
  return method === 'getEpochInfo' ? { ...(result as object), blockHeight: 10_000_000 } : undefined;
}
