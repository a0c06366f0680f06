// A token's whole life on clusters with another rent than today's local ones: mainnet lowers it in steps.
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM, fetchRentExemption, poolAddress } from '@curvekit/sdk';
import { InsufficientSolError, launch, trade } from '@curvekit/sdk/trade';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { MORE_THAN_A_CURVE, sendGraduation, untilOpen } from '#tests/graduation/graduating.js';
import { rejection } from '#tests/mocha/failures.js';

const RENT_SYSVAR = new PublicKey('SysvarRent111111111111111111111111111111111');
const USUAL = 6_960n;
const CENT = SOL / 100n;
const TERMS = { name: 'Rented', symbol: 'RENT', uri: 'https://example.org/rent.json' };

for (const perByte of [696n, 2n * USUAL]) {
  describe(`a cluster whose rent is ${perByte} lamports a byte`, () => {
    const cluster = useCluster();
    /** What a buy for 0.01 SOL needs: the amount, the token account, the fee, and what must stay in the wallet. */
    const needed = CENT + perByte * 293n + 5_000n + perByte * 128n;

    before('set the rent', async () => {
      const { connection, deployment } = cluster();
      const { data } = (await connection.getAccountInfo(RENT_SYSVAR))!;
      expect(data.readBigUInt64LE(0)).to.equal(USUAL);
      data.writeBigUInt64LE(perByte, 0);
      await cluster().setAccount(RENT_SYSVAR, { data });
      // As `curvekit doctor` asks: with less, the fee of a small trade is refused.
      const least = perByte * 128n - (await lamportsOf(connection, deployment.feeReceiver));
      if (least > 0n) await cluster().fund(deployment.feeReceiver, least);
      // The cluster's connection remembers the rent of its start. Others ask.
      const other = new Connection(cluster().rpcUrl, 'confirmed');
      expect(await fetchRentExemption(other, 165)).to.equal(perByte * 293n);
    });

    it('a wallet with exactly what a buy needs makes it, and one with a lamport less is told what it needs', async () => {
      const { connection } = cluster();
      if (perByte === 696n) expect(needed).to.equal(10_298_016n);
      const creator = await cluster().fundedWallet();
      const { mint } = await launch(connection, { ...TERMS, wallet: creator });
      const order = { mint: mint.publicKey, solToSpend: CENT, computeUnitPrice: 0n };
      const wallet = await cluster().fundedWallet(needed);
      const bought = await trade(connection, { ...order, wallet });
      expect(bought.walletChange).to.equal(-(CENT + perByte * 293n + 5_000n));
      const poor = await cluster().fundedWallet(needed - 1n);
      const error = await rejection(trade(connection, { ...order, wallet: poor }), InsufficientSolError);
      expect(error).to.include({ needed, available: needed - 1n });
    });

    it('launch, buy, sale, graduation, and both in the pool', async () => {
      const { connection, deployment } = cluster();
      const wallet = await cluster().fundedWallet(2n * MORE_THAN_A_CURVE);
      const mint = Keypair.generate();
      const launched = await launch(connection, { ...TERMS, wallet, mint, firstBuy: SOL });
      expect(await lamportsOf(connection, mint.publicKey)).to.equal(perByte * (128n + 82n));
      const order = { mint: mint.publicKey, wallet };
      await trade(connection, { ...order, solToSpend: SOL });
      const half = launched.firstBuy!.tokenAmount / 2n;
      expect((await trade(connection, { ...order, tokenToSpend: half })).tokenAmount).to.equal(half);
      await trade(connection, { ...order, solToSpend: MORE_THAN_A_CURVE });

      const pool = AMM.addresses(poolAddress(mint.publicKey, deployment).address, mint.publicKey);
      await sendGraduation(cluster(), { mint: mint.publicKey });
      await untilOpen(cluster(), { pool });
      const bought = await trade(connection, { ...order, solToSpend: SOL });
      expect(bought).to.include({ venue: 'pool', solAmount: SOL });
      const sold = await trade(connection, { ...order, tokenToSpend: 'all', closeTokenAccount: true });
      expect(sold.walletChange).to.equal(sold.solAmount - sold.networkFee + perByte * 293n);
    });
  });
}
