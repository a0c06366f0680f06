// The cluster of a command.
import type { Connection, TransactionInstruction } from '@solana/web3.js';
import { prepareTransaction, sendAndConfirm, type Deployment } from '@curvekit/sdk';
import { namingPayer } from '../sending/unfunded-payer.js';
import { readConfig, type Config } from '../config/config.js';
import { deploymentOf } from '../context.js';
import { connectNode } from '../chain/connection.js';
import { signTransaction } from '../keys/sign-transaction.js';
import type { Signer } from '../keys/signer.js';
import { CommandError } from './errors.js';
import type { Terminal } from './terminal.js';

export interface CommandCluster {
  readonly config: Config;
  /** Commitment `confirmed`. */
  readonly connection: Connection;
  readonly deployment: Deployment;
}

/**
 * The configured cluster.
 *
 * @param rpcUrl an RPC node to use instead of the configured one
 * @throws CommandError when the RPC node does not answer
 */
export async function connectCluster({ environment }: Terminal, rpcUrl?: string): Promise<CommandCluster> {
  const config = readConfig(
    rpcUrl === undefined ? environment : { ...environment, RPC_URL: rpcUrl, WS_URL: '' },
  );
  const connection = connectNode(config);
  try {
    await connection.getSlot();
  } catch (cause) {
    const { message } = cause as Error;
    throw new CommandError(rpcUrl === undefined ? message : message.replaceAll('RPC_URL', '--rpc-url'), {
      cause,
    });
  }
  return { config, connection, deployment: deploymentOf(config) };
}

/** Sends instructions that the payer signs, and waits until they are confirmed. @returns the signature */
export async function sendInstructions(
  { connection, deployment }: Omit<CommandCluster, 'config'>,
  payer: Signer,
  instructions: TransactionInstruction[],
): Promise<string> {
  const prepared = await prepareTransaction(
    connection,
    { payer: payer.publicKey, instructions },
    { deployment },
  ).catch((error: unknown) => {
    throw namingPayer(error, payer.publicKey);
  });
  await signTransaction(prepared.transaction, [payer]);
  const { signature } = await sendAndConfirm(connection, prepared, { deployment, skipPreflight: true });
  return signature;
}
