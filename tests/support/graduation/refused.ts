// Checks that a refused graduation changes nothing, whatever the reason.
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { TransactionError } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { accountsOf, snapshot } from '#tests/cluster/accounts.js';
import { refusalOf } from '#tests/cluster/refusals.js';
import { rejection } from '#tests/mocha/failures.js';

/**
 * Sends instructions that must be refused. Apart from the payer's network fee, none of their accounts and none of
 * `others` may
 * change.
 *
 * @returns the refusal
 */
export async function expectNothingMoved(
  cluster: LocalCluster,
  what: string,
  instructions: readonly TransactionInstruction[],
  others: readonly PublicKey[],
  signers: readonly Keypair[] = [],
): Promise<string> {
  const { connection, payer } = cluster;
  const addresses = [...accountsOf(instructions), ...others].filter(
    (address) => !address.equals(payer.publicKey),
  );
  const before = await snapshot(connection, addresses);
  const error = await rejection(cluster.send(instructions, [payer, ...signers]), TransactionError).catch(
    (failure: unknown) => {
      throw new Error(`${what}: ${(failure as Error).message}`, { cause: failure });
    },
  );
  expect(await snapshot(connection, addresses), what).to.deep.equal(before);
  return refusalOf(error);
}
