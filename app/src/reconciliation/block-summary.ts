// What a block with `transactionDetails: "accounts"` says about its transactions: who signed, and whose lamports changed.

/** A successful transaction, without its instructions. */
export interface Summary {
  readonly signers: readonly string[];
  readonly keys: readonly string[];
  /** Change of each key's lamports. */
  readonly lamportsGained: readonly bigint[];
}

interface AccountsTransaction {
  readonly transaction?: {
    readonly signatures?: readonly string[];
    readonly accountKeys?: readonly { readonly pubkey?: unknown; readonly signer?: unknown }[];
  };
  readonly meta?: {
    readonly err?: unknown;
    readonly preBalances?: readonly number[];
    readonly postBalances?: readonly number[];
  } | null;
}

/**
 * The transactions of an RPC node's answer to `getBlock`, by signature. Leaves out what it cannot read: such transactions
 * are read one by one, which is strict.
 */
export function summariesIn(block: unknown): [signature: string, Summary][] {
  const { transactions } = Object(block) as { readonly transactions?: unknown };
  if (!Array.isArray(transactions)) return [];
  return (transactions as AccountsTransaction[]).flatMap((one) => {
    const signature = one.transaction?.signatures?.[0];
    const summary = summaryOf(one);
    return signature === undefined || summary === undefined
      ? []
      : [[signature, summary] as [string, Summary]];
  });
}

function summaryOf({ transaction, meta }: AccountsTransaction): Summary | undefined {
  const accounts = transaction?.accountKeys ?? [];
  const { preBalances: before, postBalances: after } = meta ?? {};
  const isWhole =
    meta?.err === null && before?.length === accounts.length && after?.length === accounts.length;
  // The fee payer comes first and signs.
  if (!isWhole || accounts[0]?.signer !== true) return undefined;
  if (!accounts.every(({ pubkey, signer }) => typeof pubkey === 'string' && typeof signer === 'boolean')) {
    return undefined;
  }
  const keys = accounts.map(({ pubkey }) => pubkey as string);
  return {
    signers: keys.filter((_, index) => accounts[index]!.signer === true),
    keys,
    lamportsGained: keys.map((_, index) => BigInt(after[index]!) - BigInt(before[index]!)),
  };
}
