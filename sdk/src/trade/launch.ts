// One call for a new token, with the creator's first buy in the same transaction.
import { Keypair, type Connection } from '@solana/web3.js';
import { requireAccountKey } from '../checks/keys.js';
import { requireKnown } from '../checks/options.js';
import type { PreparedTransaction } from '../transactions/prepare.js';
import {
  LAUNCH_PARAMS,
  type LaunchParams,
  PREPARE_LAUNCH_PARAMS,
  type PrepareLaunchParams,
  SENDING_OPTIONS,
} from './options.js';
import type { LaunchResult } from './result.js';
import { runLaunch, runPrepareLaunch } from './run-launch.js';
import { signerOf } from './wallet.js';

/**
 * Creates a token: builds and simulates the transaction, lets the wallet and the mint's key sign it, sends it, waits,
 * and returns the result. Throws the errors of `trade`.
 */
export async function launch(connection: Connection, params: LaunchParams): Promise<LaunchResult> {
  requireKnown('params', params, ...LAUNCH_PARAMS, SENDING_OPTIONS);
  const { mint = Keypair.generate(), wallet } = params;
  const signer = () => signerOf(connection, wallet, params.composition?.lookupTables, [mint]);
  return { ...(await runLaunch(connection, mint.publicKey, params, signer)), mint };
}

/**
 * The transaction that {@link launch} would have signed and sent, after the same checks. The wallet and the mint's key
 * sign it. Throws what `launch` throws before the signing.
 */
export async function prepareLaunch(
  connection: Connection,
  params: PrepareLaunchParams,
): Promise<PreparedTransaction> {
  requireKnown('params', params, ...PREPARE_LAUNCH_PARAMS);
  const { publicKey } = Object(params.wallet) as PrepareLaunchParams['wallet'];
  return runPrepareLaunch(connection, requireAccountKey('mint', params.mint), params, publicKey);
}
