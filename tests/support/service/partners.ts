// Partners with keys, and a service for them.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import type { Database } from '#app/db/database.js';
import { issueKey } from '#app/partners/keys.js';
import type { Scope } from '#app/partners/scopes.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import {
  signedRegistration,
  startPartnerService,
  type Answer,
  type PartnerService,
} from '#tests/service/partner-service.js';

export const VERSION = '/v1/internal';
export const GET_MESSAGE = '/v1/internal/auth/get-message';
export const REGISTER = '/v1/internal/auth/register';
export const USERS = '/v1/internal/users';
export const STATS = '/v1/internal/stats';

export const expectRefusal = (answer: Answer, status: number, error: string) => {
  expect(answer.body).to.have.all.keys('message', 'error', 'statusCode');
  expect(answer.body).to.include({ error, statusCode: String(status) });
  expect(answer.status).to.equal(status);
};

/** Starts a service with its own database for the surrounding `describe`. */
export function usePartners() {
  const cluster = useCluster();
  let database: Database;
  let service: PartnerService;
  let partners = 0;

  before(async () => {
    database = await openTestDatabase();
    service = await startPartnerService({ database, cluster: cluster() });
  });
  after(async () => {
    await service.close();
    await database.close();
  });

  /** Creates a new partner with a key. */
  async function newKey(options: { scopes?: readonly Scope[]; lifetimeSeconds?: number } = {}) {
    partners += 1;
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    return issueKey(service.keys, { partner: `Partner ${partners}`, payoutWallet, ...options });
  }

  const register = async (key: string, user = Keypair.generate(), signer = user) =>
    service.post(REGISTER, key, await signedRegistration(service, key, user, signer));

  return { cluster, database: () => database, service: () => service, newKey, register };
}
