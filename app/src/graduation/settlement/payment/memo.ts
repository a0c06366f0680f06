// The memo that names a settlement in its transaction. Explorers and RPC nodes show it, and reconciliation reads it.
// docs/decisions/payments-gate.md has its figures, and why claims have none.
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { PlannedSettlement } from './hold-planned.js';

/**
 * What the instructions do not tell: which settlement it is, and how much of the treasury's part is the holders' and how much
 * the creator's.
 */
export type SettlementName = Pick<PlannedSettlement, 'id' | keyof Division>;

/** Credited to holders and to the creator, in lamports and token base units. */
export type Division = Pick<
  PlannedSettlement,
  'solHolders' | 'tokenHolders' | 'solCreatorCredited' | 'tokenCreatorCredited'
>;

/** Version 2 of the SPL memo program. */
export const MEMO_PROGRAM_ADDRESS = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** Another form must begin with other words: a version of the service that does not know it holds payments. */
const FORM = /^curvekit settlement (\d+) holders (\d+) (\d+) creator (\d+) (\d+)$/;

export function writeMemo(name: SettlementName): string {
  const { id, solHolders, tokenHolders, solCreatorCredited, tokenCreatorCredited } = name;
  return `curvekit settlement ${id} holders ${solHolders} ${tokenHolders} creator ${solCreatorCredited} ${tokenCreatorCredited}`;
}

/** Undefined for every text that `writeMemo` does not write. */
export function readMemo(text: string): SettlementName | undefined {
  const [, id, ...amounts] = FORM.exec(text) ?? [];
  if (id === undefined) return undefined;
  const [solHolders = 0n, tokenHolders = 0n, solCreatorCredited = 0n, tokenCreatorCredited = 0n] =
    amounts.map(BigInt);
  const name = { id: Number(id), solHolders, tokenHolders, solCreatorCredited, tokenCreatorCredited };
  // A number can be written in many ways, but only one is written here.
  return writeMemo(name) === text ? name : undefined;
}

/** Has no accounts: the fee payer, who is the DEX owner, signs for every byte of the transaction. */
export function memoInstruction(name: SettlementName): TransactionInstruction {
  return new TransactionInstruction({
    programId: MEMO_PROGRAM_ADDRESS,
    keys: [],
    data: Buffer.from(writeMemo(name)),
  });
}
