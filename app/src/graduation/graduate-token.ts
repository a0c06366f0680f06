// Graduates a sold-out curve into its pool. Anyone can do it, and only the first transaction succeeds.
import {
  CurveStatus,
  fetchTokenOwnerData,
  formatSol,
  formatTokens,
  graduate,
  GRADUATION_VIRTUAL_TOKEN,
  TransactionError,
  type TokenOwnerData,
} from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import type { Context } from '../context.js';
import { askNode } from '../chain/connection.js';
import type { Signer } from '../keys/signer.js';
import { inSpan } from '../base/tracing/spans.js';
import { submit, GraduationFailedError, graduating } from './submit.js';
import { storageTopUp, type TopUp } from './storage-top-up.js';

/**
 * Graduates a token and waits for confirmation.
 *
 * @param payer pays the network fee and lends the rents of three accounts within the transaction
 * @returns the signature; undefined when another client graduated it first
 * @throws GraduationFailedError when it is impossible: unknown token, still trading, refused by the cluster
 */
export async function graduateToken(
  context: Pick<Context, 'connection' | 'deployment'>,
  payer: Signer,
  mint: PublicKey,
): Promise<string | undefined> {
  const deployment = graduating(context.deployment);
  const instructions = graduate({ mint, payer: payer.publicKey, deployment });
  try {
    return await inSpan('graduate', { 'curvekit.mint': mint.toBase58() }, () =>
      submit(context, deployment, instructions, payer),
    );
  } catch (cause) {
    if (!(cause instanceof TransactionError)) throw cause;
    const curve = await askNode(fetchTokenOwnerData(context.connection, mint, { deployment }));
    if (curve?.initialized === CurveStatus.Migrated) return undefined;
    const topUp = await storageTopUp(context.connection, deployment, mint);
    throw new GraduationFailedError(reasonOf(mint, curve, cause, topUp), { cause });
  }
}

function reasonOf(
  mint: PublicKey,
  curve: TokenOwnerData | null,
  cause: TransactionError,
  topUp: TopUp | undefined,
): string {
  const name = mint.toBase58();
  if (curve === null) return `${name} is not a token of this launchpad; check the address`;
  if (curve.initialized === CurveStatus.Trading) {
    const left = formatTokens(curve.virtualToken - GRADUATION_VIRTUAL_TOKEN);
    return `${name} has not graduated yet: ${left} tokens are left to buy`;
  }
  if (topUp !== undefined) {
    const [lamports, storage] = [formatSol(topUp.lamports), topUp.storage.toBase58()];
    return `the graduation of ${name} waits for ${lamports} SOL at ${storage}, the community's storage of wrapped SOL: the cluster's rent has risen by more than its share; anybody can send it, and \`curvekit doctor\` has the whole address`;
  }
  return `the cluster refuses the graduation of ${name}: ${cause.message}`;
}
