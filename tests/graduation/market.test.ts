// The instructions of a trade in a pool, for clients that send them. trade.test.ts has the one call for all. threat: moving-pool
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  buy,
  InstructionError,
  isSlippageError,
  NATIVE_MINT_ADDRESS,
  quoteBuy,
  quoteSell,
  sell,
  wrapSol,
} from '@curvekit/sdk';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import { launchTrading, marketOf, openPool, type GraduatingToken } from '#tests/graduation/graduating.js';
import { rejection } from '#tests/mocha/failures.js';
import { tokensOf } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const NETWORK_FEE = 5_000n;
const SLIPPAGE_BPS = 50;

describeOnAmms('a market for a whole life', (cluster) => {
  let token: GraduatingToken;
  let trader: Keypair;

  beforeEach(async () => {
    token = await launchTrading(cluster());
    trader = await cluster().fundedWallet(20n * SOL);
  });

  const market = () => marketOf(cluster(), token);

  const owner = () => trader.publicKey;
  const lamports = () => lamportsOf(cluster().connection, owner());
  const tokens = () => tokensOf(cluster().connection, associatedTokenAddress(owner(), token.mint).address);
  const wrapped = () => associatedTokenAddress(owner(), NATIVE_MINT_ADDRESS).address;

  it('Given a price that moves beyond the slippage, when the trade lands, then the AMM refuses it and the wallet pays only the network fee', async () => {
    await openPool(cluster(), token);
    const { deployment, payer } = cluster();
    const stale = await market();
    const { minTokenToReceive } = quoteBuy(stale, SOL, SLIPPAGE_BPS);
    const first = {
      market: stale,
      payer: payer.publicKey,
      solToSpend: SOL,
      minTokenToReceive: 0n,
      deployment,
    };
    await cluster().send(buy(first), [payer]);
    const before = await lamports();
    const late = buy({ market: stale, payer: owner(), solToSpend: SOL, minTokenToReceive, deployment });
    const error = await rejection(cluster().send(late, [trader]), InstructionError);
    expect(error.programId).to.equal(AMM.programId.toBase58());
    expect(error.reason).to.equal('ExceededSlippage');
    expect(isSlippageError(error)).to.equal(true);
    expect(await lamports()).to.equal(before - NETWORK_FEE);
  });

  it('Given a wallet with wrapped SOL, when it trades with keepWrappedSol, then its SOL stays wrapped', async () => {
    await openPool(cluster(), token);
    const { connection, deployment } = cluster();
    await cluster().send(wrapSol(owner(), SOL), [trader]);
    const params = { payer: owner(), solToSpend: SOL, minTokenToReceive: 0n, deployment };
    await cluster().send(buy({ ...params, market: await market(), keepWrappedSol: true }), [trader]);
    expect(await tokensOf(connection, wrapped())).to.equal(SOL);
    const live = await market();
    const tokenToSpend = await tokens();
    const { solOut } = quoteSell(live, tokenToSpend);
    const all = { market: live, payer: owner(), tokenToSpend, minSolToReceive: solOut, deployment };
    await cluster().send(sell({ ...all, keepWrappedSol: true, closeTokenAccount: true }), [trader]);
    expect(await tokensOf(connection, wrapped())).to.equal(SOL + solOut);
    await cluster().send(buy({ ...params, market: await market() }), [trader]);
    expect(await connection.getAccountInfo(wrapped())).to.equal(null);
  });
});
