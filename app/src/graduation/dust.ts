// Buys the last tokens of a curve when so few are left that ordinary buys fail. An attacker could leave such dust on
// purpose, to prevent the graduation.
import { createBurnInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  buy,
  closeTokenAccount,
  CurveStatus,
  fetchCurveState,
  GRADUATION_VIRTUAL_TOKEN,
  quoteBuyExactOut,
} from '@curvekit/sdk';
import type { Context } from '../context.js';
import { askNode } from '../chain/ask-node.js';
import type { Signer } from '../keys/signer.js';
import { inSpan } from '../base/tracing/spans.js';
import { graduating } from './graduating.js';
import { submit } from './submit.js';

/** Maximum token units that count as dust: 100 tokens. */
export const DUST_TOKENS = 100_000_000n;
/** Maximum lamports spent on dust, including the fee. */
const MOST_LAMPORTS = 100_000n;

/**
 * Buys the dust of a curve if it is cheap. Burns the tokens and closes their account, so that the payer spends only the
 * price. If the payer has a token account already, the tokens stay in it.
 *
 * @returns the signature; undefined when nothing is left to buy, or the dust costs too much
 * @throws errors of the RPC node or the cluster
 */
export async function buyDust(
  context: Pick<Context, 'connection' | 'deployment'>,
  payer: Signer,
  mint: PublicKey,
): Promise<string | undefined> {
  const { connection } = context;
  const deployment = graduating(context.deployment);
  const owner = payer.publicKey;
  const { address } = associatedTokenAddress(owner, mint);
  const [curve, account] = await askNode(
    Promise.all([fetchCurveState(connection, mint, { deployment }), connection.getAccountInfo(address)]),
  );
  if (curve?.initialized !== CurveStatus.Trading) return undefined;
  const left = curve.virtualToken - GRADUATION_VIRTUAL_TOKEN;
  const { solToSpend } = quoteBuyExactOut(curve, left);
  if (left > DUST_TOKENS || solToSpend > MOST_LAMPORTS) return undefined;
  const instructions = buy({ mint, payer: owner, solToSpend, minTokenToReceive: left, deployment });
  if (account === null) {
    instructions.push(createBurnInstruction(address, mint, owner, left), closeTokenAccount(address, owner));
  }
  return inSpan('buy dust', { 'curvekit.mint': mint.toBase58() }, () =>
    submit(context, deployment, instructions, payer),
  );
}
