// Who earns the creator's share of a token, as the Market API shows it.
import { sql } from 'drizzle-orm';

/** Columns of the choice in a row `f` of `fee_shares`, which may be missing, and the share of today. */
export const SHARE_COLUMNS =
  sql.raw(`f.kind as share_kind, f.wallets, f.parts, f.slot::text as share_slot, f.message, f.signed,
  f.signature as share_signature, coalesce((select share_bps from volume_rates order by from_slot desc limit 1), 0) as share_bps`);

export type ShareRow = Readonly<
  Record<'share_slot' | 'message' | 'signed' | 'share_signature', string | null>
> & {
  readonly share_kind: 'creator' | 'split' | 'traders' | null;
  readonly share_bps: number;
  readonly wallets: readonly string[] | null;
  readonly parts: readonly number[] | null;
};

export function feeShareOf(row: ShareRow) {
  const {
    share_kind: kind,
    share_slot: slot,
    message,
    signed,
    share_signature: signature,
    wallets,
    parts,
  } = row;
  return {
    bps: row.share_bps,
    kind: kind ?? 'creator',
    wallets: (wallets ?? []).map((wallet, index) => ({ wallet, bps: parts?.[index] ?? 0 })),
    choice:
      kind === null
        ? null
        : { slot: Number(slot), message: message!, signed: signed!, signature: signature! },
  };
}
