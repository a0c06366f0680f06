// What an error of a wallet means. Wallets throw every shape: a code without a text, a text without a code, an error in an
// error, nothing.
import type { walletProblems } from '../words/wallet-problems.js';

export type WalletProblem = keyof typeof walletProblems;

/** Status words of a Ledger and its Solana app. */
const BY_STATUS: Readonly<Record<number, WalletProblem>> = {
  0x5515: 'locked',
  0x6b0c: 'locked',
  0x5501: 'declined',
  0x6985: 'declined',
  0x6808: 'blind',
  0x6511: 'closed',
  0x6d00: 'closed',
  0x6d02: 'closed',
  0x6e00: 'closed',
  0x6e01: 'closed',
};
/** Codes of wallets in browsers: those of EIP-1193, which most follow, and of JSON-RPC. */
const BY_CODE: Readonly<Record<number | string, WalletProblem>> = {
  4001: 'declined',
  4100: 'disconnected',
  4900: 'disconnected',
  4901: 'disconnected',
  [-32002]: 'busy',
  // Mobile Wallet Adapter.
  ERROR_WALLET_NOT_FOUND: 'noApp',
  ERROR_SESSION_TIMEOUT: 'noApp',
  ERROR_ASSOCIATION_CANCELLED: 'noApp',
};
const BY_TEXT: readonly (readonly [RegExp, WalletProblem])[] = [
  [/\block(ed)? device|(device|wallet) is locked|\bunlock\b/i, 'locked'],
  [/blind sign/i, 'blind'],
  [/open the solana app|app (is )?not open|AppNotOpen/i, 'closed'],
  [/no device|cannot open device|DisconnectedDevice|device (was|is|has been) disconnected/i, 'unplugged'],
  [/already (pending|processing|open)|request of type .* pending/i, 'busy'],
  [
    /wallet(NotConnected| is not connected|Disconnected)|not connected to (the|this) (site|page|app)/i,
    'disconnected',
  ],
  [/reject|denied|declin|cancell?ed|disapprov|Conditions of use not satisfied/i, 'declined'],
];
const STATUS_IN_TEXT = /\b0x([0-9a-f]{4})\b/gi;
/** Errors inside of errors that are looked at. */
const INNER = ['cause', 'error', 'originalError', 'data'] as const;
const MOST_INNER = 4;

/** @returns undefined for an error that is not in the tables above */
export function walletProblemOf(error: unknown, depth = 0): WalletProblem | undefined {
  if (typeof error === 'string') return inText(error);
  if (typeof error !== 'object' || error === null) return error === undefined ? 'silent' : undefined;
  const { name, message, code, statusCode } = error as Record<string, unknown>;
  const known = BY_STATUS[Number(statusCode)] ?? BY_CODE[String(code)];
  if (known !== undefined) return known;
  const text = typeof message === 'string' ? message : '';
  const found = inText(`${String(name)} ${text}`);
  if (found !== undefined) return found;
  const inner = INNER.map((key) => (error as Record<string, unknown>)[key]).filter(
    (value) => value !== undefined && value !== null,
  );
  if (depth < MOST_INNER) {
    for (const each of inner) {
      const problem = walletProblemOf(each, depth + 1);
      if (problem !== undefined) return problem;
    }
  }
  return text === '' && inner.length === 0 && code === undefined ? 'silent' : undefined;
}

function inText(text: string): WalletProblem | undefined {
  for (const [, status] of text.matchAll(STATUS_IN_TEXT)) {
    const known = BY_STATUS[Number.parseInt(status!, 16)];
    if (known !== undefined) return known;
  }
  return BY_TEXT.find(([pattern]) => pattern.test(text))?.[1];
}
