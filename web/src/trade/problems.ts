// User messages for failed transactions: before the wallet signs, in the wallet, or on chain.
import { walletProblemOf } from '../wallet/problems.js';
import { walletProblems } from '../words/wallet-problems.js';
import { answerIn, NOTHING_SPENT, other, sentence, type Problem } from '../errors.js';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const NO_SOL: Problem = { kind: 'no-sol', text: `Not enough SOL for this and its fees. ${NOTHING_SPENT}` };
const NO_TOKENS = other(`You have fewer tokens than this. ${NOTHING_SPENT}`);
/** Raydium CPMM's error ExceededSlippage. */
const POOL_SLIPPAGE = 6005;

const NO_NETWORK = other(`The Solana network cannot be reached. ${NOTHING_SPENT} Try again soon.`);

/** Problems by the names of SDK errors. */
const BY_NAME: Readonly<Record<string, Problem>> = {
  InsufficientSolError: NO_SOL,
  InsufficientTokensError: NO_TOKENS,
  NoTokenAccountError: NO_TOKENS,
  RpcError: NO_NETWORK,
  WrongClusterError: other(
    `This page is of another launchpad than this network’s. Reload it. ${NOTHING_SPENT}`,
  ),
  BlockhashExpiredError: other(`The wallet took too long to sign. ${NOTHING_SPENT} Try again.`),
  TransactionExpiredError: other(
    `The network did not take the transaction in time, and never will. ${NOTHING_SPENT} Try again.`,
  ),
  IncompleteTransactionError: other(
    'It went through. The network does not tell the amounts yet: look at your balance.',
  ),
  OutcomeUnknownError: {
    kind: 'unknown-outcome',
    text: 'The network does not say what became of the transaction. Sign no other one: this page looks it up.',
  },
  UnfinishedTransactionError: {
    kind: 'unknown-outcome',
    text: `Your last trade of this token is still under way: this page looks it up. ${NOTHING_SPENT}`,
  },
};

export function problemOf(error: unknown): Problem {
  const { name, message, code, reason, programId } = (error ?? {}) as Record<string, unknown>;
  const text = typeof message === 'string' ? message : String(error);
  const why = `${text} ${String(reason)}`;
  const known = BY_NAME[String(name)] ?? answerIn(error);
  if (known !== undefined) return known;
  if (programId === SYSTEM_PROGRAM && code === 1) return NO_SOL;
  if (programId !== undefined && (code === POOL_SLIPPAGE || /ExceededSlippage/i.test(why)))
    return { kind: 'slippage', text: `The price moved past your limit. ${NOTHING_SPENT}` };
  if (
    /insufficient (lamports|funds)|no record of a prior credit|AccountNotFound|InsufficientFunds/i.test(why)
  )
    return NO_SOL;
  if (name === 'ChangedTransactionError') return other(`${sentence(text)} ${NOTHING_SPENT}`);
  const ofWallet = walletProblemOf(error);
  if (ofWallet !== undefined)
    return {
      kind: ofWallet === 'declined' ? 'declined' : 'other',
      text: `${walletProblems[ofWallet]} ${NOTHING_SPENT}`,
    };
  // A library's own words for it.
  if (/Failed to fetch|NetworkError|fetch failed|did not answer/i.test(text)) return NO_NETWORK;
  return other(sentence(text));
}

export const explain = (error: unknown) => problemOf(error).text;
