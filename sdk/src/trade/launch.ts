// One call for a new token, with the creator's first buy in the same transaction.
import { Keypair, type Connection } from '@solana/web3.js';
import { requireKnown } from '../checks/options.js';
import { SENDING_OPTIONS, type SendingOptions } from './options.js';
import { LAUNCH_PARAMS, runLaunch, type LaunchOutcome, type LaunchTerms } from './run-launch.js';
import { signerOf } from './wallet.js';

/** Parameters of {@link launch}. Omitted terms are 0. */
export interface LaunchParams extends LaunchTerms, Pick<SendingOptions, 'wallet'> {
  /** The key of the token's mint. Default: a new one. */
  readonly mint?: Keypair | undefined;
}

/** The result of a launch, read from the transaction that landed. */
export interface LaunchResult extends LaunchOutcome {
  /** Its `publicKey` is the token's address. */
  readonly mint: Keypair;
}

/**
 * Creates a token: builds and simulates the transaction, lets the wallet and the mint's key sign it, sends it, waits,
 * and returns the result. Throws the errors of `trade`.
 */
export async function launch(connection: Connection, params: LaunchParams): Promise<LaunchResult> {
  requireKnown('params', params, ...LAUNCH_PARAMS, SENDING_OPTIONS);
  const { mint = Keypair.generate(), wallet } = params;
  const signer = () => signerOf(connection, wallet, [mint]);
  return { ...(await runLaunch(connection, mint.publicKey, params, signer)), mint };
}
