// The steps of a sweep in an arena.

export const INSTRUCTIONS = [
  'buyToken',
  'sellToken',
  'migrate',
  'validateLogRecord',
  'createToken',
  'adminSetProperties',
] as const;
export type Instruction = (typeof INSTRUCTIONS)[number];

export interface CurveReserves {
  readonly initialized: number;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** A wrong or unusual part of a call. Positions are taken modulo the number of accounts or bytes. */
export type Alteration =
  | { readonly is: 'substitute'; readonly account: number; readonly by: number }
  | { readonly is: 'duplicate'; readonly account: number; readonly of: number }
  | { readonly is: 'signer' | 'writable'; readonly account: number; readonly on: boolean }
  | { readonly is: 'fewer accounts' | 'shorter data'; readonly left: number }
  | { readonly is: 'more accounts'; readonly by: number }
  | { readonly is: 'longer data'; readonly bytes: Uint8Array }
  | { readonly is: 'other byte'; readonly at: number; readonly flip: number }
  | { readonly is: 'other deployment' }
  /** A copy of the account at an address that differs in one byte. */
  | { readonly is: 'near miss'; readonly account: number; readonly byte: number };

interface CallOptions {
  readonly alteration?: Alteration | undefined;
  /** Whether another program makes the call by CPI. */
  readonly called: boolean;
}

/** A call of the program under test. */
export type CallStep =
  | ({
      readonly is: 'buyToken' | 'sellToken';
      readonly token: number;
      readonly trader: number;
      /** Lamports of a buy, token units of a sell. At any price. */
      readonly amount: bigint;
    } & CallOptions)
  | ({ readonly is: 'migrate'; readonly token: number } & CallOptions)
  | ({ readonly is: 'validateLogRecord' } & CallOptions)
  /** Of an existing token, or a new one. */
  | ({ readonly is: 'createToken'; readonly token: number } & CallOptions)
  | ({ readonly is: 'adminSetProperties' } & CallOptions);

export type Step =
  | CallStep
  | { readonly is: 'set balance'; readonly of: number; readonly lamports: bigint }
  | {
      readonly is: 'set token account';
      readonly token: number;
      readonly of: number;
      readonly to: 'open' | 'frozen';
    }
  /** Sets a curve state, also one that the program never produces. */
  | { readonly is: 'set curve'; readonly token: number; readonly state: CurveReserves }
  /** Sets the lamports of the curve: its rent, plus those of a sell if `sells`, plus `off`. */
  | {
      readonly is: 'set curve balance';
      readonly token: number;
      readonly sells: boolean;
      readonly off: bigint;
    }
  /** Resets the curve to its initial state. */
  | { readonly is: 'renew'; readonly token: number }
  | { readonly is: 'set rent'; readonly lamportsPerByte: bigint; readonly threshold: number };

/** Years of rent for an exemption: 1 since SIMD-0194, 2 before. */
export const RENT_THRESHOLDS = [1, 2, 0, 0.5] as const;

/** The first and last byte of each 8-byte word. */
export const NEAR_MISSES = [8, 16, 24, 31, 0, 7, 15, 23] as const;
