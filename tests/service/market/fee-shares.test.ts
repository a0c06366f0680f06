// Shares of the fee by volume: who may choose and when, what each choice earns, and that everybody can verify it.
// threat: fee-share
import { createPublicKey, verify } from 'node:crypto';
import { Keypair, SystemProgram } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import {
  ApiError,
  chooseFeeShare,
  feeShareMessage,
  type FeeShare,
  type FeeShareTerms,
  type TokenDetail,
} from '@curvekit/sdk/market';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { launch as launchInOneCall } from '@curvekit/sdk/trade';
import { statement } from '#app/db/database.js';
import { forgetUnused } from '#app/market/shares/choice.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { buyTokens, launch, TERMS, type Token } from '#tests/program/tokens.js';
import { lent, runCommand } from '#tests/service/cli.js';
import { hardwareWallet, ledgerEnvelope } from '#tests/service/envelopes.js';
import { useRewardsScene } from '#tests/service/rewards.js';
import { keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const SHARE_BPS = 3_000n;
/** The fee is 1 % of what a buyer pays. */
const shareOf = (paid: bigint) => ((paid / 100n) * SHARE_BPS) / 10_000n;
const NETWORK_FEE = 10_000n;

describe('shares of the fee by volume', function () {
  this.timeout(120_000);
  const cluster = useKeyHeldCluster();
  const scene = useRewardsScene(cluster, () => ({
    environment: {
      CREATOR_SHARE_BPS: String(SHARE_BPS),
      FEE_RECEIVER_KEYPAIR: keyVariable(cluster().feeReceiver),
    },
    fundingIntervalMs: 50,
  }));

  const service = () => ({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
  const now = () => cluster().connection.getSlot('confirmed');
  const addressOf = (key: Keypair) => key.publicKey.toBase58();
  const detail = async (mint: string) =>
    (await scene.api.get(`/v1/market/tokens/${mint}`)).body as unknown as TokenDetail;
  const untilKnown = ({ mint }: Token) =>
    eventually(
      async () => (await scene.api.get(`/v1/market/tokens/${mint.toBase58()}`)).status === 200,
      'the token',
    );
  const rewards = () => new RewardsClient(service());
  const unclaimed = async (wallet: Keypair, mint: string) =>
    (await rewards().rewards(keypairWallet(wallet))).find(({ tokenInfo }) => tokenInfo.address === mint)
      ?.unclaimedRewards.sol ?? 0n;
  /** Claims as soon as the trades are final and their fees are in the treasury. @returns what the wallet received */
  async function claim(wallet: Keypair, mint: string): Promise<bigint> {
    const request = { tokenAddress: mint, claimType: 'SOL' } as const;
    const { connection } = cluster();
    await whileFinalizing(cluster(), () =>
      eventually(async () => {
        try {
          await rewards().claim(keypairWallet(wallet), request, { connection });
          return true;
        } catch (error) {
          if (String(error).match(/not finalized yet|not in the treasury yet/) === null) throw error;
          return false;
        }
      }, 'the claim'),
    );
    return BigInt(await connection.getBalance(wallet.publicKey));
  }

  it('go to the wallets of a split that was chosen in the launch, each of which claims with nothing of its own', async () => {
    const creator = await cluster().fundedWallet(10n * SOL);
    const sniper = await cluster().fundedWallet(10n * SOL);
    const wallets = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    const share: FeeShare = {
      kind: 'split',
      wallets: wallets.map((wallet, index) => ({
        wallet: addressOf(wallet),
        bps: [3_333, 3_333, 3_334][index]!,
      })),
    };
    const { mint, firstBuy } = await launchInOneCall(cluster().connection, {
      ...TERMS,
      firstBuy: SOL,
      deployment: cluster().deployment,
      wallet: creator,
      feeShare: (token) => chooseFeeShare(keypairWallet(creator), { ...token, share }, service()),
    });
    const address = mint.publicKey.toBase58();
    await buyTokens(cluster(), { mint: mint.publicKey } as Token, sniper, 2n * SOL);
    const earned = (bps: bigint) =>
      (shareOf(firstBuy!.solAmount) * bps) / 10_000n + (shareOf(2n * SOL) * bps) / 10_000n;
    await eventually(
      async () => (await unclaimed(wallets[2]!, address)) === earned(3_334n),
      'the pending share',
    );
    expect(await unclaimed(creator, address)).to.equal(0n);
    const { feeShare } = await detail(address);
    expect(feeShare).to.deep.include({ bps: Number(SHARE_BPS), ...share });
    for (const [index, wallet] of wallets.entries())
      expect(await claim(wallet, address)).to.equal(earned([3_333n, 3_333n, 3_334n][index]!) - NETWORK_FEE);
    const all = earned(3_333n) * 2n + earned(3_334n);
    const show = (...args: string[]) =>
      runCommand(['token', 'show', address, ...args], {}, lent(scene.database));
    await eventually(async () => {
      const { volume } = JSON.parse((await show('--json')).out) as { volume: { paid: string } };
      const { paid, ...rest } = volume;
      expect(rest).to.include({ kind: 'split', wallets: 3, credited: String(all) });
      return paid === String(all);
    }, 'the end of the claims');
    expect((await show()).out).to.contain('SOL credited by volume to 3 wallets (split), ');
  });

  it('go back to each trader of a token whose creator chose so, and to the creator of one who chose nothing', async () => {
    const [creator, trader] = await Promise.all([
      cluster().fundedWallet(10n * SOL),
      cluster().fundedWallet(10n * SOL),
    ]);
    const token = await launch(cluster(), {}, creator);
    const other = await launch(cluster(), {}, creator);
    await untilKnown(token);
    const terms: FeeShareTerms = {
      mint: token.mint.toBase58(),
      slot: await now(),
      share: { kind: 'traders' },
    };
    await chooseFeeShare(keypairWallet(creator), terms, service());
    await buyTokens(cluster(), token, trader, 2n * SOL);
    await buyTokens(cluster(), other, trader, SOL);
    await eventually(async () => (await unclaimed(trader, terms.mint)) === shareOf(2n * SOL), 'the cashback');
    await eventually(
      async () => (await unclaimed(creator, other.mint.toBase58())) === shareOf(SOL),
      'the share',
    );
    expect(await unclaimed(trader, other.mint.toBase58())).to.equal(0n);
    const before = BigInt(await cluster().connection.getBalance(trader.publicKey));
    expect(await claim(trader, terms.mint)).to.equal(before + shareOf(2n * SOL) - NETWORK_FEE);
    expect((await detail(other.mint.toBase58())).feeShare).to.deep.equal({
      ...{ bps: Number(SHARE_BPS), kind: 'creator', wallets: [], choice: null },
    });
  });

  it('are chosen once, by a line that a hardware wallet signs too, and that everybody can verify', async () => {
    const creator = Keypair.generate();
    const mint = addressOf(Keypair.generate());
    const hardware = hardwareWallet(creator, (text) => ledgerEnvelope({ text }));
    const terms: FeeShareTerms = { mint, slot: await now(), share: { kind: 'traders' } };
    await chooseFeeShare(hardware, terms, service());
    await chooseFeeShare(hardware, terms, service());
    const other = chooseFeeShare(hardware, { ...terms, share: { kind: 'creator' } }, service());
    await expectRefusal(other, 409, 'FEE_SHARE_CHOSEN');
    // Without the token nobody sees it; a token of the same mint by somebody else has another creator.
    const key = Keypair.generate();
    const launcher = await cluster().fundedWallet(10n * SOL);
    const chosen: FeeShareTerms = { mint: addressOf(key), slot: await now(), share: { kind: 'traders' } };
    await chooseFeeShare(keypairWallet(launcher), chosen, service());
    await chooseFeeShare(hardware, { ...chosen, share: { kind: 'creator' } }, service());
    await untilKnown(await launch(cluster(), {}, launcher, key));
    const { feeShare } = await detail(chosen.mint);
    expect(feeShare.kind).to.equal('traders');
    const { message, signed, signature } = feeShare.choice!;
    expect(Buffer.from(signed, 'base64').toString()).to.equal(message);
    expect(message).to.contain(chosen.mint).and.to.contain(cluster().deployment.programId.toBase58());
    const x = Buffer.from(launcher.publicKey.toBytes()).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(signed, 'base64'), publicKey, bs58.decode(signature))).to.equal(true);
  });

  it('are forgotten when their token was not created within a day', async () => {
    const creator = await cluster().fundedWallet(10n * SOL);
    const key = Keypair.generate();
    const by = keypairWallet(creator);
    const unused = addressOf(Keypair.generate());
    for (const mint of [addressOf(key), unused])
      await chooseFeeShare(by, { mint, slot: await now(), share: { kind: 'traders' } }, service());
    await untilKnown(await launch(cluster(), {}, creator, key));
    const { queries } = scene.database;
    const kept = async () =>
      (
        await statement<{ mint: string }>(queries)`select mint from fee_shares where creator = ${by.address}`
      ).map(({ mint }) => mint);
    await forgetUnused(scene.database);
    expect(await kept()).to.have.members([addressOf(key), unused]);
    await statement(queries)`
      update fee_shares set slot = (select scanned_slot from indexer_state) - 216001 where creator = ${by.address}`;
    await forgetUnused(scene.database);
    expect(await kept()).to.deep.equal([addressOf(key)]);
  });

  it('are refused by name: late, of another token, replayed, or to wallets that cannot claim', async () => {
    const creator = await cluster().fundedWallet(10n * SOL);
    const trader = await cluster().fundedWallet(10n * SOL);
    const token = await launch(cluster(), {}, creator);
    const mint = token.mint.toBase58();
    await untilKnown(token);
    const slot = await now();
    const traders: FeeShare = { kind: 'traders' };
    const choose = (terms: Partial<FeeShareTerms> = {}, by = keypairWallet(creator)) =>
      chooseFeeShare(by, { mint, slot, share: traders, ...terms }, { ...service(), retries: 0 });
    const split = (...wallets: [string, number][]): FeeShare => ({
      kind: 'split',
      wallets: wallets.map(([wallet, bps]) => ({ wallet, bps })),
    });
    const [a, b] = [addressOf(Keypair.generate()), addressOf(Keypair.generate())];
    const curve = token.curve.address.toBase58();
    const faults: [FeeShare, string][] = [
      [split([a, 5_000], [b, 4_999]), 'wallets'],
      [split([a, 5_000], [a, 5_000]), 'wallets'],
      [split([a, 10_000]), 'wallets'],
      [
        split(...Array.from({ length: 11 }, (): [string, number] => [addressOf(Keypair.generate()), 909])),
        'wallets',
      ],
      [split([a, 5_000], [curve, 5_000]), 'wallets.1.wallet'],
      [split([a, 0], [b, 9_999]), 'wallets.0.bps'],
      [split([a, 5_000], [cluster().deployment.programId.toBase58(), 5_000]), 'wallets.1.wallet'],
      [split([a, 5_000], [SystemProgram.programId.toBase58(), 5_000]), 'wallets.1.wallet'],
    ];
    for (const [share, field] of faults)
      await expectRefusal(choose({ share }), 400, 'VALIDATION_ERROR', field);
    await expectRefusal(choose({ slot: slot - 400 }), 400, 'VALIDATION_ERROR', 'slot');
    await expectRefusal(choose({ slot: slot + 1_000 }), 400, 'VALIDATION_ERROR', 'slot');
    await expectRefusal(choose({}, keypairWallet(trader)), 400, 'VALIDATION_ERROR', 'creator');
    // Once, by its schema, not again because nobody signs for it.
    const noAddress = { creator: 'me', kind: 'traders', slot, signature: '1'.repeat(64) };
    const { body } = await scene.api.post(`/v1/market/fee-shares/${mint}`, noAddress);
    const listed = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(listed.filter((field) => field === 'creator')).to.have.length(1);
    // The signature of another message: another mint, program, chain or slot.
    const { programId } = cluster().deployment;
    const line = { mint, slot, share: traders };
    const ofThis = { programId: programId.toBase58(), chain: 'solana:localnet' };
    const others = [
      feeShareMessage({ ...line, mint: a }, ofThis),
      feeShareMessage({ ...line, slot: slot - 1 }, ofThis),
      feeShareMessage({ ...line, share: { kind: 'creator' } }, ofThis),
      feeShareMessage(line, { ...ofThis, programId: a }),
      feeShareMessage(line, { ...ofThis, chain: 'solana:mainnet' }),
    ];
    for (const text of others) {
      const signing = {
        ...keypairWallet(creator),
        signMessage: () => Promise.resolve(signatureBy(creator, Buffer.from(text))),
      };
      await expectRefusal(choose({}, signing), 401, 'INVALID_SIGNATURE');
    }
    // The creator's own buy does not make it too late, unless it comes after the slot of the line.
    await buyTokens(cluster(), token, creator, SOL);
    await eventually(async () => (await detail(mint)).trades === 1, "the creator's buy");
    await expectRefusal(choose(), 409, 'FEE_SHARE_TOO_LATE');
    await buyTokens(cluster(), token, trader, SOL);
    await eventually(async () => (await detail(mint)).trades === 2, 'the buy');
    await expectRefusal(choose({ slot: await now() }), 409, 'FEE_SHARE_TOO_LATE');
    expect((await detail(mint)).feeShare.choice).to.equal(null);
  });
});

async function expectRefusal(
  asked: Promise<void>,
  status: number,
  code: string,
  field?: string,
): Promise<void> {
  const refused = await rejection(asked, ApiError);
  expect({ status: refused.status, code: refused.code }, refused.message).to.deep.equal({ status, code });
  if (field !== undefined) expect(refused.fields?.map((problem) => problem.field)).to.contain(field);
}
