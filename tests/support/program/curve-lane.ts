// A token whose curve a test can set to any state and then trade with the real program.
import {
  associatedTokenAddress,
  buy,
  createToken,
  createTokenAccountIfMissing,
  CurveStatus,
  decodeRecords,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  ProgramError,
  sell,
  tokenAddresses,
  type TokenOwnerData,
  type TradeRecord,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { AccountLayout } from '@solana/spl-token';
import { Keypair, type PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';
import { MINT_RENT } from '#tests/constants.js';
import { httpFetch } from '#testing/http-fetch.js';

export interface TradeOrder {
  readonly isBuy: boolean;
  /** Lamports to spend on a buy, token base units to sell. */
  readonly amount: bigint;
  readonly minimum: bigint;
}

/** The balances before a trade. In lamports and token base units. */
export interface LaneState {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  /** The curve account's lamports, including rent. */
  readonly curveLamports: bigint;
  readonly traderLamports: bigint;
  readonly vaultTokens: bigint;
  readonly traderTokens: bigint;
}

/** The changes of a trade on chain: gains, negative for losses. */
export interface TradeOnChain {
  /** The program's error code; undefined for a successful trade. */
  readonly refusal: number | undefined;
  readonly curveLamports: bigint;
  readonly feeReceiverLamports: bigint;
  /** Without the transaction fee. */
  readonly traderLamports: bigint;
  readonly traderTokens: bigint;
  readonly vaultTokens: bigint;
  /** The curve's account after the trade. */
  readonly curve: TokenOwnerData;
  /** The trade records that the program logged. */
  readonly records: readonly TradeRecord[];
}

interface LaneAccounts {
  readonly curve: TokenOwnerData;
  readonly vaultTokens: bigint;
  readonly traderTokens: bigint;
}

const TERMS = {
  afterMigrationFee: 25,
  afterMigrationBurnBp: 1,
  afterMigrationHoldersBp: 2,
  afterMigrationLpBp: 3,
};
const TEXTS = { name: 'Lane', symbol: 'LANE', uri: 'https://curvekit.example/lane.json' };

export class CurveLane {
  readonly #cluster: LocalCluster;
  readonly #trader: Keypair;
  readonly #mint: PublicKey;
  readonly #curve: PublicKey;
  readonly #vault: PublicKey;
  readonly #tokenAccount: PublicKey;
  /** Read after the last trade; undefined once a test has overwritten them. */
  #accounts: LaneAccounts | undefined;

  private constructor(cluster: LocalCluster, trader: Keypair, mint: PublicKey) {
    this.#cluster = cluster;
    this.#trader = trader;
    this.#mint = mint;
    const { curve, vault } = tokenAddresses(mint);
    this.#curve = curve.address;
    this.#vault = vault.address;
    this.#tokenAccount = associatedTokenAddress(trader.publicKey, mint).address;
  }

  /** Creates a token, and a trader with an empty token account. */
  static async open(cluster: LocalCluster): Promise<CurveLane> {
    const trader = await cluster.fundedWallet();
    const mint = Keypair.generate();
    const payer = trader.publicKey;
    await cluster.send(
      createToken({ payer, mint: mint.publicKey, ...TEXTS, ...TERMS, mintRentLamports: MINT_RENT }),
      [trader, mint],
    );
    await cluster.send([createTokenAccountIfMissing(payer, payer, mint.publicKey)], [trader]);
    return new CurveLane(cluster, trader, mint.publicKey);
  }

  /** Overwrites everything that a trade depends on except the properties. The curve is in state Trading. */
  async put(state: LaneState): Promise<void> {
    const { curve } = await this.#read();
    this.#accounts = undefined;
    const { virtualSol, virtualToken } = state;
    const data = encodeTokenOwnerData({
      ...curve,
      initialized: CurveStatus.Trading,
      virtualSol,
      virtualToken,
    });
    await Promise.all([
      this.#cluster.setAccount(this.#curve, { lamports: state.curveLamports, data }),
      this.#cluster.setAccount(this.#trader.publicKey, { lamports: state.traderLamports }),
      this.#putTokens(this.#vault, state.vaultTokens),
      this.#putTokens(this.#tokenAccount, state.traderTokens),
    ]);
  }

  /** Sends one trade and returns its changes, whether it succeeded or the program refused it. */
  async trade(order: TradeOrder): Promise<TradeOnChain> {
    const { rpcUrl, deployment } = this.#cluster;
    const before = this.#accounts ?? (await this.#read());
    const { signature, transaction, refusal } = await this.#send(order);
    const [after, lamports] = await Promise.all([this.#read(), readExactBalances(rpcUrl, signature)]);
    this.#accounts = after;
    const records = transaction === undefined ? [] : decodeRecords(transaction);
    return {
      refusal,
      curveLamports: lamports.gain(this.#curve),
      feeReceiverLamports: lamports.gain(deployment.feeReceiver),
      traderLamports: lamports.gain(this.#trader.publicKey) + lamports.fee,
      traderTokens: after.traderTokens - before.traderTokens,
      vaultTokens: after.vaultTokens - before.vaultTokens,
      curve: after.curve,
      records: records.flatMap((record) => (record.kind === 'trade' ? record.data : [])),
    };
  }

  async #send({ isBuy, amount, minimum }: TradeOrder): Promise<{
    signature: string;
    transaction?: VersionedTransactionResponse;
    refusal: number | undefined;
  }> {
    const common = { mint: this.#mint, payer: this.#trader.publicKey, createTokenAccount: false };
    const instructions = isBuy
      ? buy({ ...common, solToSpend: amount, minTokenToReceive: minimum })
      : sell({ ...common, tokenToSpend: amount, minSolToReceive: minimum });
    try {
      const { signature, transaction } = await this.#cluster.send(instructions, [this.#trader]);
      return { signature, transaction, refusal: undefined };
    } catch (error) {
      if (!(error instanceof ProgramError) || error.signature === undefined) throw error;
      return { signature: error.signature, refusal: error.code };
    }
  }

  async #read(): Promise<LaneAccounts> {
    const addresses = [this.#curve, this.#vault, this.#tokenAccount];
    const [curve, vault, held] = await this.#cluster.connection.getMultipleAccountsInfo(addresses);
    return {
      curve: decodeTokenOwnerData(curve!.data),
      vaultTokens: AccountLayout.decode(vault!.data).amount,
      traderTokens: AccountLayout.decode(held!.data).amount,
    };
  }

  async #putTokens(address: PublicKey, amount: bigint): Promise<void> {
    const account = await this.#cluster.connection.getAccountInfo(address);
    const data = Buffer.alloc(AccountLayout.span);
    AccountLayout.encode({ ...AccountLayout.decode(account!.data), amount }, data);
    await this.#cluster.setAccount(address, { data });
  }
}

/**
 * Lamports of a transaction's accounts before and after it. web3.js reads them as numbers, which are exact only up to
 * 2^53.
 */
class ExactBalances {
  constructor(
    private readonly accounts: readonly string[],
    private readonly before: readonly (number | string)[],
    private readonly after: readonly (number | string)[],
    /** The transaction fee in lamports. */
    readonly fee: bigint,
  ) {}

  /** The lamports that an account gained; negative for a loss. */
  gain(account: PublicKey): bigint {
    const index = this.accounts.indexOf(account.toBase58());
    if (index === -1) throw new Error(`${account.toBase58()} is no account of the transaction`);
    return BigInt(this.after[index] ?? 0) - BigInt(this.before[index] ?? 0);
  }
}

interface TransactionAnswer {
  readonly result: {
    readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
    readonly meta: {
      readonly fee: number;
      readonly preBalances: readonly (number | string)[];
      readonly postBalances: readonly (number | string)[];
    };
  };
}

/** Integers of 16 or more digits outside strings, as balances are. */
const LONG_INTEGERS = /(?<=[[,:])\d{16,}(?=[\],}])/g;

/** Reads the balances around a confirmed transaction that uses no lookup tables. */
async function readExactBalances(rpcUrl: string, signature: string): Promise<ExactBalances> {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const response = await httpFetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] }),
  });
  const text = (await response.text()).replace(LONG_INTEGERS, '"$&"');
  const { transaction, meta } = (JSON.parse(text) as TransactionAnswer).result;
  return new ExactBalances(
    transaction.message.accountKeys,
    meta.preBalances,
    meta.postBalances,
    BigInt(meta.fee),
  );
}
