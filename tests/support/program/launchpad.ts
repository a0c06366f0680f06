// A key-held launchpad whose accounts are all read before and after each step, together with the SDK's forecast of the step.
import { createTransferInstruction, unpackAccount, unpackMint } from '@solana/spl-token';
import {
  Keypair,
  SystemProgram,
  type AccountInfo,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import {
  adminSetProperties,
  associatedTokenAddress,
  buyExactIn,
  createToken,
  createTokenAccountIfMissing,
  decodeProperties,
  decodeRecords,
  decodeTokenOwnerData,
  ProgramError,
  PROPERTIES_ADDRESS,
  quoteBuy,
  quoteSell,
  sellExactIn,
  tokenAddresses,
  TransactionError,
  type Buy,
  type CurveRecord,
  type Properties,
  type Sell,
  type TokenAddresses,
  type TokenOwnerData,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import type { Minimum, Step } from '#tests/arbitraries/random-steps.js';
import { rawInstructions } from './raw-instructions.js';
import { refusalOf } from '#tests/cluster/refusals.js';
import { TERMS } from './tokens.js';
import { MINT_RENT, U64_MAX } from '#tests/constants.js';

const ACCOUNTS_PER_REQUEST = 100;

/** One token's state on chain. */
export interface TokenView {
  readonly mint: PublicKey;
  readonly state: TokenOwnerData;
  readonly supply: bigint;
  readonly curveLamports: bigint;
  readonly vaultTokens: bigint;
  /** Balances of the wallets, in their order. */
  readonly walletTokens: readonly bigint[];
  readonly feeTokens: bigint;
}

/** The whole state on chain. */
export interface View {
  readonly properties: Properties;
  readonly tokens: readonly TokenView[];
  readonly walletLamports: readonly bigint[];
  readonly feeLamports: bigint;
}

/** The SDK's forecast of a step: the result of a trade, the chain's refusal, or undefined for other steps. */
export type Forecast =
  { readonly buy: Buy } | { readonly sell: Sell } | { readonly refusal: string } | undefined;

/** One step, with the chain's state before and after. */
export interface Observation {
  readonly step: Step;
  /** Index of the step's token; undefined if it has none, or a new one. */
  readonly token: number | undefined;
  readonly wallet: number;
  readonly before: View;
  readonly after: View;
  readonly forecast: Forecast;
  /** The error with which the chain refused the step. */
  readonly refusal: string | undefined;
  readonly records: readonly CurveRecord[];
}

interface Planned {
  readonly instructions: readonly TransactionInstruction[];
  readonly signers: readonly Keypair[];
  readonly forecast?: Forecast;
}

interface KnownToken extends TokenAddresses {
  readonly mint: PublicKey;
}

export class Launchpad {
  readonly #tokens: KnownToken[] = [];
  readonly #raw: ReturnType<typeof rawInstructions>;
  #view: View | undefined;

  constructor(
    private readonly cluster: LocalCluster,
    private readonly wallets: readonly Keypair[],
  ) {
    this.#raw = rawInstructions(cluster.deployment);
  }

  /** Executes the step on the cluster and returns the result. The cluster's own wallet pays the transaction fees. */
  async run(step: Step): Promise<Observation> {
    const before = this.#view ?? (await this.#read());
    const token = 'token' in step ? step.token % this.#tokens.length : undefined;
    const wallet = 'wallet' in step ? step.wallet % this.wallets.length : 0;
    const { instructions, signers, forecast } = this.#plan(step, before, token ?? 0, wallet);
    let refusal: string | undefined;
    let records: CurveRecord[] = [];
    try {
      const { transaction } = await this.cluster.send(instructions, [this.cluster.payer, ...signers]);
      records = decodeRecords(transaction);
    } catch (error) {
      if (!(error instanceof TransactionError)) throw error;
      refusal = refusalOf(error);
    }
    if (step.kind === 'launch') await this.#openAccounts();
    this.#view = await this.#read();
    return { step, token, wallet, before, after: this.#view, forecast, refusal, records };
  }

  #plan(step: Step, view: View, token: number, wallet: number): Planned {
    const { payer, admin, feeReceiver } = this.cluster;
    switch (step.kind) {
      case 'launch': {
        const mint = Keypair.generate();
        this.#tokens.push({ mint: mint.publicKey, ...tokenAddresses(mint.publicKey) });
        const params = {
          ...TERMS,
          mintRentLamports: MINT_RENT,
          mint: mint.publicKey,
          payer: payer.publicKey,
        };
        return { instructions: createToken(params), signers: [mint] };
      }
      case 'setProperties':
        return { instructions: adminSetProperties(step), signers: [admin] };
      case 'buy':
        return this.#planBuy(step, view, token, wallet);
      case 'sell':
        return this.#planSell(step, view, token, wallet);
      case 'donateSol': {
        const { curve } = this.#tokens[token]!;
        const transfer = { fromPubkey: payer.publicKey, toPubkey: curve.address, lamports: step.lamports };
        return { instructions: [SystemProgram.transfer(transfer)], signers: [] };
      }
      case 'donateTokens': {
        const { mint, vault } = this.#tokens[token]!;
        const owner = this.wallets[wallet]!;
        const source = associatedTokenAddress(owner.publicKey, mint).address;
        const amount = (view.tokens[token]!.walletTokens[wallet]! * BigInt(step.shareBp)) / 10_000n;
        const transfer = createTransferInstruction(source, vault.address, owner.publicKey, amount);
        return { instructions: [transfer], signers: [owner] };
      }
      case 'migrate': {
        const { initialized } = view.tokens[token]!.state;
        const refusals = ['', '6002 NotReadyToMigrate', undefined, '6005 LogicalError'];
        const refusal = refusals[initialized];
        return {
          instructions: [this.#raw.rawMigrate(this.#tokens[token]!.mint)],
          signers: [feeReceiver],
          forecast: refusal === undefined ? undefined : { refusal },
        };
      }
    }
  }

  #planBuy(
    { solToSpend, minimum }: Extract<Step, { kind: 'buy' }>,
    view: View,
    token: number,
    wallet: number,
  ): Planned {
    const { mint, state } = view.tokens[token]!;
    const trader = this.wallets[wallet]!;
    const { platformFeeBps } = view.properties;
    const minTokenToReceive = boundary(
      minimum,
      () => quoteBuy({ ...state, platformFeeBps }, solToSpend).minTokenToReceive,
    );
    const forecast = forecastOf((): Forecast => {
      if (state.initialized !== 1) throw new ProgramError(6001);
      const { virtualSol, virtualToken } = state;
      const buy = buyExactIn(virtualSol, virtualToken, BigInt(platformFeeBps), solToSpend, minTokenToReceive);
      return buy.net + buy.fee > view.walletLamports[wallet]! ? { refusal: 'System 1' } : { buy };
    });
    const args = { solToSpend, minTokenToReceive };
    return {
      instructions: [this.#raw.rawBuyToken(mint, trader.publicKey, { args })],
      signers: [trader],
      forecast,
    };
  }

  #planSell(
    { shareBp, minimum }: Extract<Step, { kind: 'sell' }>,
    view: View,
    token: number,
    wallet: number,
  ): Planned {
    const { mint, state, walletTokens } = view.tokens[token]!;
    const trader = this.wallets[wallet]!;
    const { platformFeeBps } = view.properties;
    const held = walletTokens[wallet]!;
    const tokenToSpend = (held * BigInt(shareBp)) / 10_000n;
    const minSolToReceive = boundary(
      minimum,
      () => quoteSell({ ...state, platformFeeBps }, tokenToSpend).minSolToReceive,
    );
    const forecast = forecastOf((): Forecast => {
      if (state.initialized !== 1) throw new ProgramError(6001);
      const { virtualSol, virtualToken } = state;
      const sell = sellExactIn(
        virtualSol,
        virtualToken,
        BigInt(platformFeeBps),
        tokenToSpend,
        minSolToReceive,
      );
      return tokenToSpend > held ? { refusal: 'Token 1' } : { sell };
    });
    const args = { tokenToSpend, minSolToReceive };
    return {
      instructions: [this.#raw.rawSellToken(mint, trader.publicKey, { args })],
      signers: [trader],
      forecast,
    };
  }

  /** Creates a token account for every wallet and the fee receiver, for the newest token. */
  async #openAccounts(): Promise<void> {
    const { payer, feeReceiver } = this.cluster;
    const { mint } = this.#tokens.at(-1)!;
    const owners = [...this.wallets, feeReceiver].map(({ publicKey }) => publicKey);
    const open = owners.map((owner) => createTokenAccountIfMissing(payer.publicKey, owner, mint));
    await this.cluster.send(open, [payer]);
  }

  async #read(): Promise<View> {
    const { connection, feeReceiver } = this.cluster;
    const owners = [...this.wallets, feeReceiver].map(({ publicKey }) => publicKey);
    const perToken = this.#tokens.map(({ mint, curve, vault }) => [
      mint,
      curve.address,
      vault.address,
      ...owners.map((owner) => associatedTokenAddress(owner, mint).address),
    ]);
    const addresses = [PROPERTIES_ADDRESS, ...owners, ...perToken.flat()];
    const accounts: (AccountInfo<Buffer> | null)[] = [];
    for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
      const chunk = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
      accounts.push(...(await connection.getMultipleAccountsInfo(chunk)));
    }
    const found = new Map(addresses.map((address, index) => [address.toBase58(), accounts[index]!]));
    const account = (address: PublicKey): AccountInfo<Buffer> => found.get(address.toBase58())!;
    const tokens = (address: PublicKey): bigint => unpackAccount(address, account(address)).amount;
    const lamports = owners.map((owner) => BigInt(account(owner).lamports));
    return {
      properties: decodeProperties(account(PROPERTIES_ADDRESS).data),
      walletLamports: lamports.slice(0, -1),
      feeLamports: lamports.at(-1)!,
      tokens: this.#tokens.map(({ mint, curve, vault }) => {
        const held = owners.map((owner) => tokens(associatedTokenAddress(owner, mint).address));
        return {
          mint,
          state: decodeTokenOwnerData(account(curve.address).data),
          supply: unpackMint(mint, account(mint)).supply,
          curveLamports: BigInt(account(curve.address).lamports),
          vaultTokens: tokens(vault.address),
          walletTokens: held.slice(0, -1),
          feeTokens: held.at(-1)!,
        };
      }),
    };
  }
}

/** The minimum for the trade; 0 if the SDK cannot quote it. */
function boundary(minimum: Minimum, quoted: () => bigint): bigint {
  if (minimum === 'none') return 0n;
  try {
    const most = quoted() + (minimum === 'above' ? 1n : 0n);
    return most < U64_MAX ? most : U64_MAX;
  } catch (error) {
    if (error instanceof ProgramError) return 0n;
    throw error;
  }
}

/** Converts the SDK's refusal to the chain's format. */
function forecastOf(forecast: () => Forecast): Forecast {
  try {
    return forecast();
  } catch (error) {
    if (error instanceof ProgramError) return { refusal: refusalOf(error) };
    throw error;
  }
}
