// One token on a cluster: sends the transactions of its creator, traders and operator, and reports their results.
import {
  buy,
  createToken,
  createTokenAccountIfMissing,
  decodeRecords,
  fetchCurveState,
  fetchMarket,
  graduate,
  GRADUATE_COMPUTE_UNITS,
  graduationProgress,
  migrate,
  priceOf,
  quoteBuy,
  sell,
  tokenAddresses,
  type BuyQuote,
  type CurveState,
  type PoolMarket,
  type SellQuote,
  type TokenAddresses,
  type TokenOwnerData,
  fetchRentExemption,
  MINT_ACCOUNT_SIZE,
} from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { ComputeBudgetProgram, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenBalance } from './balances.js';
import { lamportsGained, tokensGained } from './effects.js';
import { shortened, sol, tokens } from './format.js';
import { costOf, DemoError, type Step } from './step.js';

/** A named wallet. */
export interface Person {
  readonly name: string;
  readonly wallet: Keypair;
}

/** One percent: how much less than quoted a trader accepts. */
export const SLIPPAGE_BPS = 100;

/** Name, symbol and metadata URI of a token. */
export interface TokenIdentity {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** The curve and the current fee, for quotes. */
export type LaunchState = TokenOwnerData & CurveState;

/** The amounts of a buy, from a quote. */
export type BuyOrder = Pick<BuyQuote, 'solToSpend' | 'minTokenToReceive'>;

/** The amounts of a sell, from a quote. */
export type SellOrder = Pick<SellQuote, 'tokenToSpend' | 'minSolToReceive'>;

/** How the community share of the migrated liquidity is used, in basis points. The rest goes to the creator. */
const TERMS = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 2_000,
  afterMigrationHoldersBp: 3_000,
  afterMigrationLpBp: 2_000,
};

export class Launch {
  readonly mint: PublicKey;
  readonly #mintKey = Keypair.generate();
  readonly #addresses: TokenAddresses;
  #initialVirtualToken = 0n;

  /** A token with a new address. `create` creates it on the cluster. */
  constructor(
    readonly cluster: LocalCluster,
    readonly identity: TokenIdentity,
  ) {
    this.mint = this.#mintKey.publicKey;
    this.#addresses = tokenAddresses(this.mint, cluster.deployment);
  }

  async create({ name, wallet }: Person): Promise<Step> {
    const { identity, mint } = this;
    const { connection, deployment } = this.cluster;
    const mintRentLamports = await fetchRentExemption(connection, MINT_ACCOUNT_SIZE);
    const params = { payer: wallet.publicKey, mint, deployment, mintRentLamports, ...identity, ...TERMS };
    const sent = await this.cluster.send(createToken(params), [wallet, this.#mintKey]);
    this.#initialVirtualToken = (await this.state()).virtualToken;
    const supply = tokensGained(sent.transaction, this.#addresses.curve.address, mint);
    return this.#step(sent, `${name} launches ${identity.symbol}`, [
      `"${identity.name}", mint ${shortened(mint.toBase58())}`,
      `metadata ${identity.uri}`,
      `vault +${tokens(supply, 0)} ${identity.symbol}`,
    ]);
  }

  async buy({ name, wallet }: Person, { solToSpend, minTokenToReceive }: BuyOrder): Promise<Step> {
    const { mint } = this;
    const { deployment } = this.cluster;
    const params = { payer: wallet.publicKey, mint, solToSpend, minTokenToReceive, deployment };
    const sent = await this.cluster.send(buy(params), [wallet]);
    const received = tokensGained(sent.transaction, wallet.publicKey, mint);
    const platformFee = lamportsGained(sent.transaction, deployment.feeReceiver);
    const paid = lamportsGained(sent.transaction, this.#addresses.curve.address) + platformFee;
    const lines = [`${name} +${tokens(received)} ${this.identity.symbol} for ${sol(paid)} SOL`];
    if (paid < solToSpend) {
      lines.push(`graduated: of ${sol(solToSpend, 0)} SOL ${name} keeps ${sol(solToSpend - paid)}`);
    }
    return this.#step(sent, `${name} buys`, lines, platformFee);
  }

  /** @param close closes the seller's token account, which must be empty after the sell */
  async sell(
    { name, wallet }: Person,
    { tokenToSpend, minSolToReceive }: SellOrder,
    close = false,
  ): Promise<Step> {
    const { mint } = this;
    const { deployment } = this.cluster;
    const params = { payer: wallet.publicKey, mint, tokenToSpend, minSolToReceive, deployment };
    const sent = await this.cluster.send(sell({ ...params, closeTokenAccount: close }), [wallet]);
    const sold = tokensGained(sent.transaction, this.#addresses.curve.address, mint);
    const platformFee = lamportsGained(sent.transaction, deployment.feeReceiver);
    const received = -lamportsGained(sent.transaction, this.#addresses.curve.address) - platformFee;
    const lines = [`${name} −${tokens(sold)} ${this.identity.symbol} for ${sol(received)} SOL`];
    if (close) lines.push('all: token account closed, rent returned');
    return this.#step(sent, `${name} sells`, lines, platformFee);
  }

  /** @param operator pays for the transaction, so that the migration alone changes the fee receiver's balance */
  async migrate({ name, wallet }: Person): Promise<Step> {
    const { deployment, feeReceiver } = this.cluster;
    const owner = feeReceiver.publicKey;
    const instructions: TransactionInstruction[] = [
      createTokenAccountIfMissing(wallet.publicKey, owner, this.mint),
      ...migrate({ mint: this.mint, deployment, createTokenAccount: false }),
    ];
    const sent = await this.cluster.send(instructions, [wallet, feeReceiver]);
    const lamports = lamportsGained(sent.transaction, owner);
    const units = tokensGained(sent.transaction, owner, this.mint);
    return this.#step(sent, `${name} migrates`, [
      `fee receiver +${sol(lamports)} SOL`,
      `and +${tokens(units)} ${this.identity.symbol}; nothing is left`,
    ]);
  }

  /** Any wallet can do this. It pays for the transaction. */
  async graduate({ name, wallet }: Person): Promise<Step> {
    const { mint } = this;
    const { deployment } = this.cluster;
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: GRADUATE_COMPUTE_UNITS }),
      ...graduate({ mint, payer: wallet.publicKey, deployment }),
    ];
    const sent = await this.cluster.send(instructions, [wallet]);
    const record = decodeRecords(sent.transaction, { deployment }).find(({ kind }) => kind === 'graduate');
    if (record?.kind !== 'graduate') throw new DemoError(`${sent.signature} has no GraduateRecord`);
    const { poolSol, poolToken, communitySol, communityToken, burnt } = record.data;
    const { symbol } = this.identity;
    const paid = -lamportsGained(sent.transaction, wallet.publicKey);
    return this.#step(sent, `${name} graduates it`, [
      `pool opens with ${sol(poolSol)} SOL, ${tokens(poolToken, 0)} ${symbol}`,
      `community +${sol(communitySol)} SOL, +${tokens(communityToken, 0)}`,
      `${tokens(burnt, 0)} ${symbol} and all liquidity burnt`,
      `${name} pays ${sol(paid)} SOL, the network fee`,
    ]);
  }

  /** Buys with the same call as on the curve, after the pool has opened. */
  async buyFromPool({ name, wallet }: Person, solToSpend: bigint): Promise<Step> {
    const market = await this.#openPool();
    const quote = quoteBuy(market, solToSpend, SLIPPAGE_BPS);
    const sent = await this.cluster.send(buy({ market, payer: wallet.publicKey, ...quote }), [wallet]);
    const received = tokensGained(sent.transaction, wallet.publicKey, this.mint);
    const { pool } = await this.#openPool();
    return {
      title: `${name} buys`,
      change: `${name} +${tokens(received)} ${this.identity.symbol} for ${sol(solToSpend)} SOL\nfrom the pool, by the same call`,
      outcome: 'done',
      price: { lamports: pool.sol, tokenUnits: pool.token },
      ...costOf(sent),
    };
  }

  /** Waits until the pool accepts trades, a second after its creation. */
  async #openPool(): Promise<PoolMarket> {
    const { cluster } = this;
    const market = await fetchMarket(cluster.connection, this.mint, { deployment: cluster.deployment });
    if (market?.venue !== 'pool') throw new DemoError(`${this.identity.symbol} has no pool`);
    const { openTime } = market.pool;
    while ((await cluster.clock()).unixTimestamp < openTime) {
      if (cluster.kind === 'surfpool') await cluster.timeTravelToTimestamp(openTime);
      else await sleep(200);
    }
    return market;
  }

  /** The curve on chain and the current fee. */
  async state(): Promise<LaunchState> {
    const { connection, deployment } = this.cluster;
    const state = await fetchCurveState(connection, this.mint, { deployment });
    if (state === null) throw new DemoError(`${this.identity.symbol} has no curve on chain`);
    return state;
  }

  /** Base units that a person holds. */
  balanceOf({ wallet }: Person): Promise<bigint> {
    return tokenBalance(this.cluster.connection, wallet.publicKey, this.mint);
  }

  async #step(
    sent: SentTransaction,
    title: string,
    lines: readonly string[],
    platformFee?: bigint,
  ): Promise<Step> {
    const state = await this.state();
    return {
      title,
      change: lines.join('\n'),
      outcome: 'done',
      ...(platformFee === undefined ? {} : { platformFee }),
      price: priceOf(state),
      progressBps: graduationProgress(state.virtualToken, this.#initialVirtualToken).progressBps,
      ...costOf(sent),
    };
  }
}
