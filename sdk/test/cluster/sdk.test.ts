import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  curveAddress,
  DEFAULT_DEPLOYMENT,
  fetchCurveState,
  fetchManyTokenOwnerData,
  fetchProperties,
  fetchTokenOwnerData,
  prepareTransaction,
  quoteBuy,
  sendAndConfirm,
  simulateComputeUnits,
  type BuyParams,
  type PreparedTransaction,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { launch, tokensOf, type Token } from '../../../tests/support/program/tokens.js';
import { SOL } from '../../../tests/support/constants.js';

describe('the SDK against a cluster', () => {
  const cluster = useCluster();
  let trader: Keypair;
  let token: Token;

  before(async () => {
    trader = await cluster().fundedWallet(100n * SOL);
    token = await launch(cluster());
  });

  function buyOf(params: Partial<BuyParams> = {}) {
    const payer = trader.publicKey;
    return buy({ mint: token.mint, payer, solToSpend: SOL / 10n, minTokenToReceive: 0n, ...params });
  }

  async function prepared(params: Partial<BuyParams> = {}): Promise<PreparedTransaction> {
    const parts = { payer: trader.publicKey, instructions: buyOf(params) };
    const result = await prepareTransaction(cluster().connection, parts);
    result.transaction.sign([trader]);
    return result;
  }

  describe('reading accounts', () => {
    it('fetches many curves at once, with null for a missing curve, even when its address holds lamports', async () => {
      const others = await Promise.all([launch(cluster()), launch(cluster())]);
      const funded = Keypair.generate().publicKey;
      await cluster().fund(curveAddress(funded).address, SOL);
      const asked = Array.from({ length: 205 }, () => Keypair.generate().publicKey);
      asked.splice(99, 2, others[0].mint, funded);
      [asked[0], asked[204]] = [token.mint, others[1].mint];
      const states = await fetchManyTokenOwnerData(cluster().connection, asked);
      expect(states).to.have.lengthOf(205);
      for (const [index, state] of states.entries()) {
        if (![0, 99, 204].includes(index)) expect(state, String(index)).to.equal(null);
        else expect(state).to.deep.equal(await fetchTokenOwnerData(cluster().connection, asked[index]!));
      }
      expect(states[99]).to.deep.include({
        initialized: 1,
        virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
        virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
      });
      expect(await fetchManyTokenOwnerData(cluster().connection, [])).to.deep.equal([]);
    });

    it('fetches the properties, and a curve with the live fee', async () => {
      expect(await fetchProperties(cluster().connection)).to.deep.equal({
        initialized: 1,
        bump: DEFAULT_DEPLOYMENT.properties.bump,
        ...DEFAULT_PROPERTIES,
      });
      expect(await fetchCurveState(cluster().connection, token.mint)).to.deep.equal({
        ...(await fetchTokenOwnerData(cluster().connection, token.mint)),
        platformFeeBps: DEFAULT_PROPERTIES.platformFeeBps,
        highestVirtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
      });
      expect(await fetchCurveState(cluster().connection, Keypair.generate().publicKey)).to.equal(null);
    });
  });

  describe('sending', () => {
    it('given a quote, then the prepared transaction lands within its compute unit limit and yields the quoted amount', async () => {
      const state = await fetchCurveState(cluster().connection, token.mint);
      const { tokenOut, minTokenToReceive } = quoteBuy(state!, SOL / 10n, 50);
      const account = associatedTokenAddress(trader.publicKey, token.mint).address;
      const held = await tokensOf(cluster().connection, account);
      const ready = await prepared({ minTokenToReceive });
      const units = await simulateComputeUnits(cluster().connection, {
        payer: trader.publicKey,
        instructions: buyOf({ minTokenToReceive }),
      });
      expect(ready.computeUnitLimit).to.equal(Math.ceil((units * 110) / 100));
      const { signature, slot } = await sendAndConfirm(cluster().connection, ready);
      const landed = await cluster().connection.getTransaction(signature, {
        maxSupportedTransactionVersion: 0,
      });
      expect(landed?.slot).to.equal(slot);
      expect(landed?.meta?.computeUnitsConsumed).to.be.at.most(ready.computeUnitLimit);
      expect(await tokensOf(cluster().connection, account)).to.equal(held + tokenOut);
    });
  });
});
