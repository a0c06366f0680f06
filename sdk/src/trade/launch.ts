// One call for a new token, with the creator's first buy in the same transaction.
import { Keypair, type Connection } from '@solana/web3.js';
import type { SendingOptions } from './options.js';
import { runLaunch, type LaunchOutcome, type LaunchTerms } from './run-launch.js';
import { signerOf } from './wallet.js';

/** Parameters of {@link launch}. What is left out of the terms is 0. */
export interface LaunchParams extends LaunchTerms, Pick<SendingOptions, 'wallet'> {
  /** The key of the token's mint; a new one when left out. */
  readonly mint?: Keypair | undefined;
}

/** What a launch did, by the transaction that landed. */
export interface LaunchResult extends LaunchOutcome {
  /** Its `publicKey` is the token's address. */
  readonly mint: Keypair;
}

/**
 * Creates a token: builds, simulates, has it signed by the wallet and the mint's key, sends, waits, and tells what happened. Errors
 * are those of `trade`.
 */
export async function launch(connection: Connection, params: LaunchParams): Promise<LaunchResult> {
  const { mint = Keypair.generate(), wallet } = params;
  const signer = () => signerOf(connection, wallet, [mint]);
  return { ...(await runLaunch(connection, mint.publicKey, params, signer)), mint };
}
