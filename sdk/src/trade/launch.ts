// One call for a new token, with the creator's first buy in the same transaction.
import { Keypair, type Connection } from '@solana/web3.js';
import { requireKnown } from '../checks/options.js';
import { SENDING_OPTIONS, LAUNCH_PARAMS, type LaunchParams } from './options.js';
import type { LaunchResult } from './result.js';
import { runLaunch } from './run-launch.js';
import { signerOf } from './wallet.js';

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
