// What may happen in an arena. Amounts and accounts are relative to the state in which a step is taken, so that a shortened
// sequence still means something.

export const INSTRUCTIONS = [
  'buyToken',
  'sellToken',
  'migrate',
  'validateLogRecord',
  'createToken',
  'adminSetProperties',
] as const;
export type Instruction = (typeof INSTRUCTIONS)[number];

/** An amount: outright, or off something by a little. */
export type Amount =
  | { readonly is: 'value'; readonly value: bigint }
  /** Of what the trader has, in millionths. */
  | { readonly is: 'share'; readonly millionths: number }
  | { readonly is: 'balance'; readonly off: bigint }
  /** For a buy, what the rest of the curve costs; for a sell, what somebody could sell if they had all. */
  | { readonly is: 'rest'; readonly off: bigint };

export type Minimum =
  { readonly is: 'value'; readonly value: bigint } | { readonly is: 'quote'; readonly off: bigint };

export interface CurveReserves {
  readonly initialized: number;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** Something wrong with a call, or only unusual. Positions are taken modulo what there is. */
export type Alteration =
  | { readonly is: 'substitute'; readonly account: number; readonly by: number }
  | { readonly is: 'duplicate'; readonly account: number; readonly of: number }
  | { readonly is: 'signer' | 'writable'; readonly account: number; readonly on: boolean }
  | { readonly is: 'fewer accounts' | 'shorter data'; readonly left: number }
  | { readonly is: 'more accounts'; readonly by: readonly number[] }
  | { readonly is: 'longer data'; readonly bytes: Uint8Array }
  | { readonly is: 'other byte'; readonly at: number; readonly flip: number }
  | { readonly is: 'other deployment' }
  /** An account with the same contents, at an address that differs in one byte. */
  | { readonly is: 'near miss'; readonly account: number; readonly byte: number };

interface CallOptions {
  readonly alterations: readonly Alteration[];
  /** Whether somebody else pays the transaction's fee. */
  readonly relayed: boolean;
  /** Whether another program makes the call. */
  readonly called: boolean;
}

/** A call of the program under test. */
export type CallStep =
  | ({
      readonly is: 'buyToken' | 'sellToken';
      readonly token: number;
      readonly trader: number;
      readonly amount: Amount;
      readonly minimum: Minimum;
    } & CallOptions)
  | ({ readonly is: 'migrate'; readonly token: number } & CallOptions)
  | ({ readonly is: 'validateLogRecord' } & CallOptions)
  | ({
      readonly is: 'createToken';
      /** One that exists, or a new one. */
      readonly token: number;
      readonly text: readonly [name: number, symbol: number, uri: number];
      readonly shares: readonly [fee: number, burn: number, holders: number, lp: number];
    } & CallOptions)
  | ({
      readonly is: 'adminSetProperties';
      readonly virtualSol: bigint;
      readonly virtualToken: bigint;
      readonly feeBps: number;
    } & CallOptions);

export type Step =
  | CallStep
  | { readonly is: 'donate lamports'; readonly to: number; readonly lamports: bigint }
  | {
      readonly is: 'donate tokens';
      readonly token: number;
      readonly from: number;
      readonly to: number;
      readonly millionths: number;
    }
  | { readonly is: 'set balance'; readonly of: number; readonly lamports: bigint }
  | {
      readonly is: 'set token account';
      readonly token: number;
      readonly of: number;
      readonly to: 'open' | 'frozen' | 'blank' | 'closed';
    }
  /** Several calls in one transaction, each as it is right before any of them. */
  | { readonly is: 'several'; readonly calls: readonly CallStep[] }
  /** A state that the program would never leave behind. */
  | { readonly is: 'set curve'; readonly token: number; readonly state: CurveReserves }
  /** Lamports of the curve: its rent, what a sell of the first trader takes out, and so many more or less. */
  | {
      readonly is: 'set curve balance';
      readonly token: number;
      readonly sells: boolean;
      readonly off: bigint;
    }
  /** The curve is as it was created. */
  | { readonly is: 'renew'; readonly token: number }
  | { readonly is: 'set rent'; readonly lamportsPerByte: bigint; readonly threshold: number }
  | { readonly is: 'set time'; readonly unixTimestamp: bigint };

/** Years of rent that exempt an account: 1 since SIMD-0194, 2 before. */
export const RENT_THRESHOLDS = [1, 2, 0, 0.5] as const;

/** One byte at each end of every eight. */
export const NEAR_MISSES = [8, 16, 24, 31, 0, 7, 15, 23] as const;
