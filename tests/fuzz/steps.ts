// The steps of an episode. Amounts and accounts are relative to the state, so that a shortened sequence keeps its meaning.

/** Lamports for a buy, token units for a sell. */
export type Amount =
  /** Millionths of what the trader has. */
  | { readonly is: 'share'; readonly millionths: number }
  | { readonly is: 'value'; readonly value: bigint }
  /** What the trader has, and `off` more. */
  | { readonly is: 'all'; readonly off: bigint }
  /** For a buy: what the last tokens cost, and `off` more. For a sell: every token outside the vault. */
  | { readonly is: 'rest'; readonly off: bigint }
  /** The least that yields `out`. */
  | { readonly is: 'least'; readonly out: bigint };

export type Minimum =
  { readonly is: 'value'; readonly value: bigint } | { readonly is: 'quote'; readonly off: bigint };

/** What a hostile caller changes in a call. Positions are taken modulo the number of accounts. */
export type Alteration =
  | { readonly is: 'substitute'; readonly account: number; readonly by: number }
  | { readonly is: 'unsigned'; readonly account: number }
  | { readonly is: 'read-only'; readonly account: number }
  | { readonly is: 'fewer accounts' | 'shorter data'; readonly left: number }
  | { readonly is: 'other bump'; readonly flip: number };

interface Call {
  /** The call must then be refused. */
  readonly alteration?: Alteration;
}

export type Step =
  | ({
      readonly is: 'buy' | 'sell';
      readonly token: number;
      readonly trader: number;
      readonly amount: Amount;
      readonly minimum: Minimum;
    } & Call)
  | ({
      readonly is: 'create';
      readonly token: number;
      readonly trader: number;
      readonly afterMigrationFee: number;
    } & Call)
  /** A sold-out token, if there is one. */
  | ({ readonly is: 'graduate'; readonly token: number; readonly trader: number } & Call)
  /** By the admin, unless a trader is named. */
  | ({ readonly is: 'sweep'; readonly trader?: number } & Call)
  /** Of a curve, without the graduation program. */
  | { readonly is: 'migrate'; readonly token: number }
  | ({
      readonly is: 'settings';
      readonly trader?: number;
      readonly virtualSol: bigint;
      readonly virtualToken: bigint;
      readonly feeBps: number;
    } & Call)
  | { readonly is: 'gift'; readonly to: number; readonly lamports: bigint }
  | {
      readonly is: 'gift of tokens';
      readonly token: number;
      readonly trader: number;
      readonly to: number;
      readonly millionths: number;
    }
  | {
      readonly is: 'burn';
      readonly token: number;
      readonly trader: number;
      readonly millionths: number;
    }
  | { readonly is: 'close'; readonly token: number; readonly trader: number }
  /** Opens a trader's closed accounts of every token. */
  | { readonly is: 'reopen'; readonly trader: number }
  | { readonly is: 'close storage'; readonly token: number; readonly side: 'wsol' | 'token' }
  | { readonly is: 'wallet'; readonly trader: number; readonly lamports: bigint }
  | { readonly is: 'pool fee'; readonly lamports: bigint }
  | { readonly is: 'rent'; readonly lamportsPerByte: bigint };

export interface EpisodeSpec {
  /** Index of the AMM. */
  readonly amm: number;
  /** What a cheating AMM does. 0 for nothing. */
  readonly cheat: number;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly feeBps: number;
  readonly traderLamports: bigint;
  readonly feeReceiverLamports: bigint;
}

/** An honest AMM, and settings like those of a launchpad. */
export const USUAL_SPEC: EpisodeSpec = {
  amm: 0,
  cheat: 0,
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  feeBps: 100,
  traderLamports: 10n ** 12n,
  feeReceiverLamports: 10n ** 9n,
};

export interface Episode {
  readonly spec: EpisodeSpec;
  readonly steps: readonly Step[];
}
