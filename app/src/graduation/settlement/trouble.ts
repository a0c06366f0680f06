// Finds settlements that need an operator.
import { statement, type Executor } from '../../db/database.js';

/** A settlement that needs an operator. */
export interface TroubledSettlement {
  readonly id: number;
  readonly mint: string;
  /** `kept`: planned, but cannot be paid as planned. `unbooked`: paid, but no wallet was credited. */
  readonly trouble: 'kept' | 'unbooked';
  /** Why it cannot be paid. */
  readonly problem: string | null;
  /** Signatures of transactions that paid it, or may have. */
  readonly signatures: readonly string[];
}

/** All settlements that need an operator, oldest first. */
export async function troubledSettlements(db: Executor): Promise<TroubledSettlement[]> {
  const rows = await statement<{
    id: string;
    mint: string;
    trouble: TroubledSettlement['trouble'];
    problem: string | null;
    signatures: string;
  }>(db)`
    select s.id::text as id, s.mint, s.problem, t.signatures,
      case when s.state = 'planned' then 'kept' else 'unbooked' end as trouble
    from settlements s cross join lateral (
      select coalesce(string_agg(signature, ' ' order by created_at), '') as signatures,
        coalesce(bool_or(state = 'finalized'), false) as is_paid
      from authority_transactions where subject = 'settlement:' || s.id and state in ('expired', 'finalized')
    ) t
    where (s.state = 'planned' and s.problem is not null) or (s.state in ('failed', 'abandoned') and t.is_paid)
    order by s.id`;
  return rows.map(({ id, signatures, ...row }) => ({
    ...row,
    id: Number(id),
    signatures: signatures.split(' ').filter((signature) => signature !== ''),
  }));
}
