// Before a graduation, other wallets can send lamports and tokens to every address, and open pools. The graduation must succeed
// all the same, with the same transfers. tests/fuzz also closes storages, and changes the AMM's fee. threat: inner-calls, earlier-pool
import { type PublicKey, ComputeBudgetProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { createSyncNativeInstruction } from '@solana/spl-token';
import { AMM, associatedTokenAddress, GRADUATE_ACCOUNTS, wrapSol } from '@curvekit/sdk';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduateRecord,
  graduation,
  holdings,
  launchSoldOut,
  launchTrading,
  MORE_THAN_A_CURVE,
  priceError,
  sendGraduation,
} from '#tests/graduation/graduating.js';
import { buyTokens } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import type { SentTransaction } from '@curvekit/testing';
import { canonicalPool, initialize, OPENED } from '#tests/graduation/initialize.js';

const AMOUNT = 10_000_000n;
/** Plain, and with lamports sent ahead. Without the AMM's own, which vary by the mint: a step of its bump searches takes 1,500. */
const MOST_UNITS = [22_500, 29_500] as const;
const AMM_UNITS = new RegExp(`${AMM.programId.toBase58()} consumed (\\d+)`);
const MOST_BYTES = 1_100;

describeOnAmms('graduate after interference by other wallets', (cluster) => {
  /** Creates a pool with tokens and SOL of the cluster's own wallet. */
  async function openPool(pool: PublicKey, mint: PublicKey): Promise<void> {
    const { payer } = cluster();
    const creator = payer.publicKey;
    const from = (of: PublicKey) => associatedTokenAddress(creator, of).address;
    const amounts = [AMOUNT, AMOUNT] as const;
    await cluster().send(wrapSol(creator, AMOUNT), [payer]);
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 });
    const opening = initialize(AMM.addresses(pool, mint), { creator, from, amounts });
    await cluster().send([limit, opening], [payer]);
  }

  it('Given lamports at every address, when the curve graduates, then the fee receiver gets them, nothing else changes, and the transaction is within the runtime’s 64 instructions', async () => {
    const instructionsOf = ({ transaction }: SentTransaction): number =>
      transaction.meta!.innerInstructions!.reduce((sum, { instructions }) => sum + instructions.length, 0);
    const token = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    const other = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    const sent = await sendGraduation(cluster(), other);
    const plain = graduateRecord(sent, cluster());
    const [, call] = graduation(cluster(), token, cluster().payer.publicKey);
    const addresses = OPENED.map((name) => call!.keys[GRADUATE_ACCOUNTS[name]]!.pubkey);
    const gifts = addresses.map((_, index) => 900_000n + BigInt(index));
    for (const [index, address] of addresses.entries()) await cluster().fund(address, gifts[index]!);
    // The record says what the storage gains, not what is in it.
    const storage = token.communityWsolStorage.address;
    await cluster().fund(storage, AMOUNT);
    await cluster().send([createSyncNativeInstruction(storage)], [cluster().payer]);
    const { connection, deployment } = cluster();
    const { address: feeReceiver } = deployment.graduation.feeReceiver;
    const fees = await lamportsOf(connection, feeReceiver);
    const griefed = await sendGraduation(cluster(), token);
    const record = graduateRecord(griefed, cluster());
    const after = await holdings(cluster(), token);
    const { mint, pool, timestamp } = record;
    expect(record).to.deep.equal({ ...plain, mint, pool, timestamp });
    expect(after.feeReceiver - fees).to.equal(gifts.reduce((sum, gift) => sum + gift));
    expect(after.poolCreator).to.equal(0n);
    expect([after.poolSol, after.poolTokens]).to.deep.equal([record.poolSol, record.poolToken]);
    expect([sent, griefed].map(instructionsOf)).to.deep.equal([27, 45]);
    for (const [index, { computeUnits, logs, bytes }] of [sent, griefed].entries()) {
      const ammUnits = Number(AMM_UNITS.exec(logs.join())![1]);
      expect(computeUnits - ammUnits).to.be.at.most(MOST_UNITS[index]!);
      expect(bytes).to.be.at.most(MOST_BYTES);
    }
  });

  it('Given a pool of the same mints at the AMM’s canonical address, when the curve graduates, then it opens its own pool', async () => {
    const token = await launchTrading(cluster());
    await buyTokens(cluster(), token, cluster().payer, SOL);
    const squatted = canonicalPool(token.mint);
    await openPool(squatted, token.mint);
    await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
    await sendGraduation(cluster(), token);
    expect(squatted.equals(token.pool.pool)).to.equal(false);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });
});
