// All that a caller gives to trade(), launch() and previewTransaction().
import type { FeeShareTerms } from '../http/market/fee-share.js';
import type { Deployment } from '../accounts/deployment.js';
import type {
  AddressLookupTableAccount,
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  VersionedTransaction,
} from '../chain/types.js';
import type { OptionNames } from '../checks/options.js';
import type { Composed } from './compose.js';
import type { TokenTerms } from '../instructions/create-token.js';
import { RPC_OPTIONS, type RpcOptions } from '../rpc/ask.js';

/** A wallet that signs. The returned transaction must have the same effect. */
export interface SigningWallet {
  readonly publicKey: PublicKey;
  /** Adds the wallet's signature. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** A wallet that signs and sends by itself, and returns the signature. */
export interface SendingWallet {
  readonly publicKey: PublicKey;
  /** Signs and sends. @returns the signature */
  sendTransaction(transaction: VersionedTransaction, connection: Connection): Promise<string>;
}

/** A keypair, or a wallet that asks its owner. If a wallet can both sign and send, it only signs and the SDK sends. */
export type TraderWallet = Keypair | SigningWallet | SendingWallet;

/** How a transaction is made ready to sign. */
export interface PreparingRules {
  /**
   * Priority fee in micro-lamports per compute unit. Default: an estimate from recent fees; 0 with a node that does not
   * answer `getRecentPrioritizationFees` within 5 s.
   */
  readonly computeUnitPrice?: bigint | undefined;
  /** Upper limit of the estimate. Default 1,000,000: one lamport per compute unit. */
  readonly highestComputeUnitPrice?: bigint | undefined;
  /** Timeout of each read before the transaction is signed, its retries included. Default 30,000 ms. */
  readonly readTimeoutMs?: number | undefined;
  /** Stops everything. */
  readonly signal?: AbortSignal | undefined;
}

const PREPARING_RULES = {
  computeUnitPrice: true,
  highestComputeUnitPrice: true,
  readTimeoutMs: true,
  signal: true,
} as const satisfies OptionNames<PreparingRules>;

/** How a transaction is paid and tracked. */
export interface SendingRules extends PreparingRules {
  /** The commitment to wait for. Default `confirmed`. */
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /**
   * Before the transaction is sent, the signal stops everything and nothing is sent. Afterwards it stops the waiting
   * with an OutcomeUnknownError that contains the signature: the transaction may land. The SDK always waits for a
   * wallet that sends by itself.
   */
  readonly signal?: AbortSignal | undefined;
  /** How long to continue with a node that reports nothing new. Default 120,000 ms. */
  readonly stallTimeoutMs?: number | undefined;
  /**
   * Stores the transaction until its outcome is known. Until then no other transaction is made, so a program that
   * crashed or a page that was reloaded trades nothing twice. See `lookUpRemembered`. If a wallet sends by itself, the
   * transaction is stored before the wallet is asked, without its signature.
   */
  readonly remember?: TransactionMemory | undefined;
}

const SENDING_RULES = {
  ...PREPARING_RULES,
  commitment: true,
  stallTimeoutMs: true,
  remember: true,
} as const satisfies OptionNames<SendingRules>;

/** Callbacks during a trade. Errors that they throw are ignored. */
export interface SendingSteps<Signature extends string = string> {
  /** Called with the signature before the transaction is sent. Called again when a trade is quoted and signed again. */
  readonly onSigned?: ((signature: Signature) => void) | undefined;
  /** Called when the first RPC node has accepted the transaction. */
  readonly onSent?: ((signature: Signature) => void) | undefined;
  /** Called when the transaction has reached `commitment`. */
  readonly onConfirmed?: ((signature: Signature) => void) | undefined;
}

const SENDING_STEPS = {
  onSigned: true,
  onSent: true,
  onConfirmed: true,
} as const satisfies OptionNames<SendingSteps>;

/** A payment beside the order, for example to a service that lands the transaction sooner. */
export interface TipOf<Key> {
  readonly to: Key;
  readonly lamports: bigint;
}

/** A payment beside the order. */
export type Tip = TipOf<PublicKey>;

export const TIP = { to: true, lamports: true } as const satisfies OptionNames<Tip>;

/** What else the transaction does, and how its message is written. */
export interface CompositionOf<Instruction, Key, Tables> {
  /**
   * Instructions of your own, before the order's. Of the trade's token they may take nothing, of other tokens anything:
   * only the wallet's SOL and its account for the trade's token are compared with the order.
   */
  readonly before?: readonly Instruction[] | undefined;
  /** Instructions of your own, after the order's. */
  readonly after?: readonly Instruction[] | undefined;
  /** The most lamports that your own instructions may take from the wallet, rent of new accounts included. Default 0. */
  readonly extraLamports?: bigint | undefined;
  /** Paid by the last instruction. The SDK adds it to what the order allows. */
  readonly tip?: TipOf<Key> | undefined;
  /**
   * A durable nonce account, whose authority is the wallet: the transaction can be signed much later. It is given up only
   * when the nonce has advanced without it. The wallet must sign without sending.
   */
  readonly nonce?: Key | undefined;
  /**
   * Address lookup tables with their addresses, for the accounts of your own instructions. The RPC node must tell the same
   * addresses; take yours from another source, because a node that lies to both exchanges accounts unseen. The accounts of
   * the order and of the tip are always in the transaction itself. The wallet must sign without sending.
   */
  readonly lookupTables?: Tables | undefined;
}

/** What else the transaction does, and how its message is written. */
export type Composition = CompositionOf<
  TransactionInstruction,
  PublicKey,
  readonly AddressLookupTableAccount[]
>;

export const COMPOSITION = {
  before: true,
  after: true,
  extraLamports: true,
  tip: true,
  nonce: true,
  lookupTables: true,
} as const satisfies OptionNames<Composition>;

/** The build that a transaction is for, what it does besides, and how it is sent. */
export interface SendingRoute extends SendingRules, SendingSteps {
  /** What else the transaction does, by `compose`. */
  readonly composition?: Composed | undefined;
  /** The build to address. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
  /** Additional RPC nodes that the transaction is sent to. */
  readonly sendConnections?: readonly Connection[] | undefined;
  /** Sends instead of the RPC nodes, for example as a bundle. Called again every 2 s until the transaction is found. */
  readonly sender?: ((transaction: VersionedTransaction) => Promise<unknown>) | undefined;
}

/** How a transaction is paid, sent and tracked. Errors that a callback throws are ignored. */
export interface SendingOptions extends SendingRoute {
  readonly wallet: TraderWallet;
}

/** Of `SendingOptions`, besides the rules and the steps. */
export const SENDING_OPTIONS = {
  wallet: true,
  deployment: true,
  sendConnections: true,
  sender: true,
  composition: true,
} as const satisfies OptionNames<Omit<SendingOptions, keyof (SendingRules & SendingSteps)>>;

/**
 * Exactly one amount, in lamports or smallest token units:
 *
 * - `solToSpend` buys with this much SOL, fee included; `tokenToReceive` buys this many tokens;
 * - `tokenToSpend` sells this many tokens, or `all` in the wallet's associated account, the only one that trades use; `solToReceive` sells for this much SOL after the
 *   fee.
 */
export type TradeAmount =
  Only<'solToSpend'> | Only<'tokenToReceive'> | Only<'tokenToSpend', bigint | 'all'> | Only<'solToReceive'>;

const TRADE_AMOUNTS = {
  solToSpend: true,
  tokenToReceive: true,
  tokenToSpend: true,
  solToReceive: true,
} as const satisfies OptionNames<TradeAmount>;

/** Options of a trade besides its amount. */
export interface TradeRules {
  /** How much worse than quoted the price may become, in basis points. Default 100: 1 %. */
  readonly slippageBps?: number | undefined;
  /**
   * The least token units that a buy for `solToSpend` must yield, from a quote that the user saw. It replaces
   * `slippageBps`, which applies to the price at the time of the call.
   */
  readonly minTokenToReceive?: bigint | undefined;
  /** The least lamports that a sale of `tokenToSpend` must yield. It replaces `slippageBps` in the same way. */
  readonly minSolToReceive?: bigint | undefined;
  /** The market of the user's quote. If the token has moved since, the trade throws a TradingMovedError. */
  readonly venue?: 'curve' | 'pool' | undefined;
  /** Closes the token account after a sale of everything. The wallet gets the rent back. */
  readonly closeTokenAccount?: boolean | undefined;
}

const TRADE_RULES = {
  slippageBps: true,
  minTokenToReceive: true,
  minSolToReceive: true,
  venue: true,
  closeTokenAccount: true,
} as const satisfies OptionNames<TradeRules>;

/** Parameters of a trade without the wallet. */
export type TradeTerms = SendingRoute &
  TradeRules &
  TradeAmount & {
    /** The token's mint. */
    readonly mint: PublicKey;
  };

/** The parameters of a trade with every library, besides its own of `SENDING_OPTIONS`. */
export const TRADE_PARAMS = [
  TRADE_AMOUNTS,
  TRADE_RULES,
  SENDING_RULES,
  SENDING_STEPS,
  { mint: true },
] as const;

/** Parameters of {@link trade}. */
export type TradeParams = TradeTerms & Pick<SendingOptions, 'wallet'>;

/** Parameters of {@link prepareTrade}. */
export type PrepareTradeParams = PreparingRules &
  TradeRules &
  TradeAmount &
  Pick<SendingRoute, 'deployment' | 'composition'> & {
    /** The token's mint. */
    readonly mint: PublicKey;
    /** Who pays and will sign: a wallet, of which only the key is used. */
    readonly wallet: Pick<SigningWallet, 'publicKey'>;
  };

const PREPARE_OPTIONS = [
  PREPARING_RULES,
  { mint: true, wallet: true, deployment: true, composition: true },
] as const;

export const PREPARE_PARAMS = [TRADE_AMOUNTS, TRADE_RULES, ...PREPARE_OPTIONS] as const;

/** The creator's own buy in a launch. */
export interface FirstBuyRules {
  /** Lamports of the creator's buy, fee included, before any other trade. */
  readonly firstBuy?: bigint | undefined;
  /** How much worse than quoted the first buy may be, in basis points. Default 100: 1 %. */
  readonly slippageBps?: number | undefined;
  /** The least token units of the first buy, from a quote that the user saw. It replaces `slippageBps`. */
  readonly minTokenToReceive?: bigint | undefined;
}

const FIRST_BUY_RULES = {
  firstBuy: true,
  slippageBps: true,
  minTokenToReceive: true,
} as const satisfies OptionNames<FirstBuyRules>;

/** Who earns the creator's share of the fees. Default: the creator. */
export interface FeeShareRules {
  /**
   * Chooses before the token is created, so that nobody trades before the choice: `(token) => chooseFeeShare(wallet,
   * { ...token, share }, { baseUrl })`, with `chooseFeeShare` of `@curvekit/sdk/market`. What it throws ends the launch.
   */
  readonly feeShare?: ((token: Pick<FeeShareTerms, 'mint' | 'slot'>) => Promise<unknown>) | undefined;
}

const FEE_SHARE_RULES = { feeShare: true } as const satisfies OptionNames<FeeShareRules>;

export type { TokenTerms };

/** A launch without who signs and how it is sent. */
export interface LaunchOrder
  extends PreparingRules, FirstBuyRules, TokenTerms, Pick<SendingRoute, 'deployment' | 'composition'> {}

/** Parameters of a launch without the wallet. */
export interface LaunchTerms extends SendingRoute, FirstBuyRules, FeeShareRules, TokenTerms {}

const TOKEN_TERMS = {
  name: true,
  symbol: true,
  uri: true,
  afterMigrationFee: true,
  afterMigrationBurnBp: true,
  afterMigrationHoldersBp: true,
  afterMigrationLpBp: true,
} as const satisfies OptionNames<TokenTerms>;

/** The parameters of a launch with every library, besides its own of `SENDING_OPTIONS`. */
export const LAUNCH_PARAMS = [
  TOKEN_TERMS,
  FIRST_BUY_RULES,
  FEE_SHARE_RULES,
  SENDING_RULES,
  SENDING_STEPS,
  { mint: true },
] as const;

/** Parameters of {@link launch}. Omitted terms are 0. */
export interface LaunchParams extends LaunchTerms, Pick<SendingOptions, 'wallet'> {
  /** The key of the token's mint. Default: a new one. */
  readonly mint?: Keypair | undefined;
}

/** Parameters of {@link prepareLaunch}. */
export interface PrepareLaunchParams extends LaunchOrder, Pick<PrepareTradeParams, 'wallet'> {
  /** The token's mint. Its key signs as well. */
  readonly mint: PublicKey;
}

export const PREPARE_LAUNCH_PARAMS = [TOKEN_TERMS, FIRST_BUY_RULES, ...PREPARE_OPTIONS] as const;

/** What a preview shows. */
export interface PreviewTerms extends RpcOptions {
  /** The wallet whose balances are shown. */
  readonly wallet: PublicKey;
  /** The tokens to show, up to 20, in the wallet's associated token accounts. Default: none. */
  readonly mints?: readonly PublicKey[] | undefined;
  /** The build whose errors are decoded. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

export const PREVIEW_TERMS = [
  RPC_OPTIONS,
  { wallet: true, mints: true, deployment: true } satisfies OptionNames<Omit<PreviewTerms, keyof RpcOptions>>,
] as const;

/** Stores text by key, for example `localStorage`. */
export interface TextStore {
  /** The key's text; null when the key has no text. */
  getItem(key: string): string | null;
  /** Replaces the key's text. */
  setItem(key: string, text: string): void;
  /** Does nothing when the key has no text. */
  removeItem(key: string): void;
}

/** Stores the signed transaction until its outcome is known. */
export interface TransactionMemory {
  readonly store: TextStore;
  /** Each key has at most one transaction in progress. */
  readonly key: string;
}

export const MEMORY = { store: true, key: true } as const satisfies OptionNames<TransactionMemory>;

/** Default slippage in basis points: 1 %. */
export const DEFAULT_SLIPPAGE_BPS = 100;

export const AMOUNTS = ['solToSpend', 'tokenToReceive', 'tokenToSpend', 'solToReceive'] as const;

export type AmountName = (typeof AMOUNTS)[number];

type Only<Name extends AmountName, Value = bigint> = { readonly [Key in Name]: Value } & {
  readonly [Key in Exclude<AmountName, Name>]?: undefined;
};
