// A graduated curve is migrated, its contribution reaches the community storages, and the settlement pays it out.
import { Keypair, type Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, compileTransaction, MAX_TRANSACTION_SIZE } from '@curvekit/sdk';
import { memoInstruction, MEMO_PROGRAM_ADDRESS } from '#app/graduation/settlement/payment/memo.js';
import { divideByLargestRemainder } from '#app/graduation/settlement/payment/split.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { walletBalances } from '#app/ledger/balances.js';
import { SOL } from '#tests/constants.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { indexCreation } from '#tests/service/service-context.js';
import {
  buyTokens,
  donateSol,
  launch,
  mintAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
} from '#tests/program/tokens.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';

async function memosOf(connection: Connection, signature: string): Promise<string[]> {
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  const { staticAccountKeys, compiledInstructions } = landed!.transaction.message;
  return compiledInstructions
    .filter(({ programIdIndex }) => staticAccountKeys[programIdIndex]!.equals(MEMO_PROGRAM_ADDRESS))
    .map(({ data }) => Buffer.from(data).toString());
}

describe('settlement', function () {
  this.timeout(240_000);
  const { cluster, treasury, lp, database, given, settle, migrate, unclaimed, checkExact } = useSettlements({
    isKeyHeld: true,
  });

  it("pays a graduated token's contribution from its storages to its holders, exactly", async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      {
        afterMigrationFee: 500,
        afterMigrationBurnBp: 1_111,
        afterMigrationHoldersBp: 3_333,
        afterMigrationLpBp: 2_222,
      },
      creator,
    );
    await indexCreation(database(), token);
    const { mint } = token;
    const traders = await cluster().fundedWallets(3);
    for (const [index, trader] of traders.entries())
      await buyTokens(cluster(), token, trader, 1_000_000_007n * BigInt(index + 1));
    const whale = await cluster().fundedWallet(100_000_000_000n);
    await buyTokens(cluster(), token, whale, WHOLE_CURVE_LAMPORTS);

    const migration = await migrate(mint);
    expect(migration.transactions).to.have.length(1);
    expect(migration.contributed).to.deep.equal({
      sol: (migration.moved.sol * 500n) / 10_000n,
      token: (migration.moved.token * 500n) / 10_000n,
    });
    const { connection } = cluster();
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(
      migration.contributed.sol,
    );
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(
      migration.contributed.token,
    );
    expect(migration.moved.token - migration.contributed.token).to.equal(
      await tokensOf(connection, associatedTokenAddress(cluster().feeReceiver.publicKey, mint).address),
    );

    const again = await migrate(mint);
    expect(again).to.deep.equal({ ...migration, transactions: [] });

    const supply = (await mintAccount(connection, mint)).supply;
    const lamports = async () => ({
      treasury: await lamportsOf(connection, treasury.publicKey),
      lp: await lamportsOf(connection, lp.publicKey),
      creator: await lamportsOf(connection, creator.publicKey),
    });
    const before = await lamports();
    const report = await settle(token);
    expect(report.problems).to.deep.equal([]);
    expect(report.outcome).to.equal('settled');
    const after = await lamports();

    const [burn = 0n, holders = 0n, liquidity = 0n, rest = 0n] = divideByLargestRemainder(
      migration.contributed.token,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    const [solBurn = 0n, solHolders = 0n, solLp = 0n, solRest = 0n] = divideByLargestRemainder(
      migration.contributed.sol,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    expect((await mintAccount(connection, mint)).supply).to.equal(supply - burn);
    const tokensAt = (wallet: Keypair) =>
      tokensOf(connection, associatedTokenAddress(wallet.publicKey, mint).address);
    expect(await tokensAt(treasury)).to.equal(holders);
    expect(await tokensAt(lp)).to.equal(liquidity);
    expect(await tokensAt(creator)).to.equal(rest);
    expect(after.treasury - before.treasury).to.equal(solHolders);
    expect(after.lp - before.lp).to.equal(solLp);
    expect(after.creator - before.creator).to.equal(solRest + solBurn);
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(0n);
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(0n);

    // The credits are in proportion to the balances, exact to one unit.
    const wallets = [...traders, whale].map(({ publicKey }) => publicKey.toBase58()).sort();
    const balances = await Promise.all(
      [...traders, whale].map(
        async (wallet) => [wallet.publicKey.toBase58(), await tokensAt(wallet)] as const,
      ),
    );
    const weights = wallets.map((wallet) => new Map(balances).get(wallet) ?? 0n);
    const expectedSol = divideByLargestRemainder(solHolders, weights);
    const expectedToken = divideByLargestRemainder(holders, weights);
    for (const [index, wallet] of wallets.entries()) {
      expect(await walletBalances(database().queries, wallet)).to.deep.equal([
        {
          mint: mint.toBase58(),
          unclaimedSol: expectedSol[index],
          unclaimedToken: expectedToken[index],
          allTimeSol: expectedSol[index],
          allTimeToken: expectedToken[index],
        },
      ]);
    }
    await checkExact();

    expect((await settle(token)).outcome).to.equal('nothing');
    await checkExact();
  });

  it('settles payments of any wallet, wrapped or not, for a token that still trades', async () => {
    const { token, holder: first } = await given(1_000_001n, ALL_TO_HOLDERS, 5n * SOL);
    const second = await cluster().fundedWallet();
    await buyTokens(cluster(), token, second, SOL);
    // Lamports that the payer did not wrap.
    await cluster().fund(token.communityWsolStorage.address, 7n);
    await transferTokens(cluster(), token.mint, first, token.communityTokenStorage.address, 3_000_001n);

    const report = await settle(token);
    expect(report.outcome).to.equal('settled');
    const { id, signature, snapshotSlot } = report.settlement!;
    expect(snapshotSlot).to.equal(report.samples!.at(-1)!.slot);
    const memo = `curvekit settlement ${id} holders 1000008 3000001 creator 0 0`;
    expect(await memosOf(cluster().connection, signature!)).to.deep.equal([memo]);
    expect(report.settlement).to.include({
      sol: 1_000_008n,
      solHolders: 1_000_008n,
      token: 3_000_001n,
      holders: 2,
    });
    const [one, two] = [await unclaimed(first, token), await unclaimed(second, token)];
    expect([one.sol + two.sol, one.token + two.token]).to.deep.equal([1_000_008n, 3_000_001n]);
    await checkExact();
  });

  it("pays the holders' part to the creator while the token has no holders", async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(cluster(), ALL_TO_HOLDERS, creator);
    await indexCreation(database(), token);
    await donateSol(cluster(), token, 2_000_000n);
    const before = await lamportsOf(cluster().connection, creator.publicKey);
    expect((await settle(token)).outcome).to.equal('settled');
    expect(await lamportsOf(cluster().connection, creator.publicKey)).to.equal(before + 2_000_000n);
  });

  it('fits into one transaction, even if it creates every account', () => {
    const key = () => Keypair.generate().publicKey;
    const dexOwner = key();
    const most = { treasury: 1n, lp: 1n, creator: 1n };
    const instructions = settlementInstructions({
      mint: key(),
      dexOwner,
      wsolStorage: key(),
      tokenStorage: key(),
      treasury: key(),
      lp: key(),
      creator: key(),
      opensCreatorAccount: true,
      sol: { taken: 3n, ...most },
      token: { burned: 1n, ...most },
      unwrapping: key(),
      tokenAccountRent: 2_039_280,
    });
    const most64 = 2n ** 64n - 1n;
    const memo = memoInstruction({
      ...{ id: Number.MAX_SAFE_INTEGER, solHolders: most64, tokenHolders: most64 },
      ...{ solCreatorCredited: most64, tokenCreatorCredited: most64 },
    });
    const parts = {
      payer: dexOwner,
      instructions: [memo, ...instructions],
      ...{ computeUnitLimit: 200_000, computeUnitPrice: 1_000_000n },
    };
    const bytes = compileTransaction(parts, key().toBase58()).serialize().length;
    expect(bytes).to.be.at.most(MAX_TRANSACTION_SIZE);
  });
});
