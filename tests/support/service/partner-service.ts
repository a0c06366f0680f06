// The Partner API on its own port, with a real database and cluster, and a clock that tests can move forward.
import type { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { pino } from 'pino';
import type { LocalCluster } from '@curvekit/testing';
import { readConfig } from '#app/config/config.js';
import type { Database } from '#app/db/database.js';
import { signatureBy } from '#app/keys/ed25519.js';
import type { KeyStore } from '#app/partners/keys.js';
import { partnerApi } from '#app/partners/routes.js';
import { ApiClient, type ApiAnswer } from './api-client.js';
import { serveApis } from './serve-apis.js';

export type Answer = ApiAnswer;

export interface PartnerService {
  readonly url: string;
  /** For the operator's key commands. */
  readonly keys: KeyStore;
  readonly logged: () => string;
  advance(milliseconds: number): void;
  /** Requests throw if the answer does not match the OpenAPI document. */
  get(path: string, key?: string): Promise<Answer>;
  post(path: string, key: string | undefined, body: unknown): Promise<Answer>;
  call: ApiClient['call'];
  close(): Promise<void>;
}

export interface PartnerServiceOptions {
  readonly database: Database;
  readonly cluster: Pick<LocalCluster, 'connection'>;
  /** The rate limit; very high by default. */
  readonly requests?: number;
  readonly trustProxy?: number;
}

export async function startPartnerService({
  database,
  cluster,
  requests = 1_000_000,
  trustProxy = 0,
}: PartnerServiceOptions): Promise<PartnerService> {
  const config = readConfig({
    RATE_LIMIT_REQUESTS: String(requests),
    TRUST_PROXY: String(trustProxy),
    SERVICE_NAME: 'Curvekit test',
  });
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const { server, document, close } = await serveApis({
    config: config.http,
    serviceName: config.serviceName,
    logger: pino({ level: 'trace' }, sink),
    apis: [partnerApi({ config, connection: cluster.connection, database, now })],
  });
  const api = new ApiClient(server.url, document);
  const headersOf = (key: string | undefined): Record<string, string> =>
    key === undefined ? {} : { 'x-api-key': key };
  return {
    url: server.url,
    keys: { database, now },
    logged: () => lines.join(''),
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    get: (path, key) => api.get(path, { headers: headersOf(key) }),
    post: (path, key, body) => api.post(path, body, headersOf(key)),
    call: (...call) => api.call(...call),
    close,
  };
}

/** A wallet's signature of a message, in base58. */
export function signText(wallet: Keypair, message: string): string {
  return bs58.encode(signatureBy(wallet, Buffer.from(message)));
}

/** Requests a message and signs it. @returns the body of a registration */
export async function signedRegistration(
  service: PartnerService,
  key: string,
  user: Keypair,
  signer = user,
): Promise<{ readonly publicKey: string; readonly signature: string; readonly nonce: string }> {
  const { body } = await service.get('/v1/internal/auth/get-message', key);
  const { message, nonce } = body as { message: string; nonce: string };
  return { publicKey: user.publicKey.toBase58(), signature: signText(signer, message), nonce };
}
