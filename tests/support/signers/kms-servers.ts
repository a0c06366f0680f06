// Servers with the published protocols of AWS KMS and Google Cloud KMS, each with one ed25519 key.
import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { PublicKey } from '@solana/web3.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string;
}

export interface KmsServer extends ServedNode {
  /** Of its key. */
  readonly address: string;
  /** Makes it accept every request and answer none. */
  hangs: boolean;
}

interface Key {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Keys are made by `openssl`'s rules, as the cloud's are: nothing of Solana. */
async function serve(answer: (asked: Asked, key: Key) => Answer): Promise<KmsServer> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = { privateKey, publicKey: createPublicKey(privateKey) };
  const served = await serveHttp((request, response) => {
    void text(request).then((sent) => {
      if (server.hangs) return;
      const { method = '', url = '', headers } = request;
      const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
      const { status = 200, headers: more, body: said } = answer({ method, url, headers, body }, key);
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(typeof said === 'string' ? said : JSON.stringify(said));
    });
  });
  const { x } = key.publicKey.export({ format: 'jwk' });
  const address = new PublicKey(Buffer.from(x!, 'base64url')).toBase58();
  const server: KmsServer = { ...served, address, hangs: false };
  return server;
}

export const AWS = {
  region: 'eu-central-1',
  key: 'alias/treasury',
  environment: { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' },
};

/** JSON 1.1 with `x-amz-target`, signed with Signature Version 4. */
export function startAwsKms(): Promise<KmsServer> {
  return serve(({ headers, body }, { privateKey, publicKey }) => {
    const refused = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'no' } });
    const scope = `AWS4-HMAC-SHA256 Credential=${AWS.environment.AWS_ACCESS_KEY_ID}/`;
    const isSigned =
      headers.authorization?.startsWith(scope) === true &&
      headers.authorization.includes(`/${AWS.region}/kms/aws4_request`);
    if (!isSigned) return refused('AccessDeniedException');
    if (body['KeyId'] !== AWS.key) return refused('NotFoundException');
    switch (String(headers['x-amz-target'])) {
      case 'TrentService.GetPublicKey': {
        const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
        return { body: { KeyId: AWS.key, PublicKey: der, KeySpec: 'ECC_NIST_EDWARDS25519' } };
      }
      case 'TrentService.Sign': {
        if (body['SigningAlgorithm'] !== 'ED25519_SHA_512' || body['MessageType'] !== 'RAW')
          return refused('ValidationException');
        const message = Buffer.from(String(body['Message']), 'base64');
        return { body: { KeyId: AWS.key, Signature: sign(null, message, privateKey).toString('base64') } };
      }
      default:
        return refused('UnknownOperationException');
    }
  });
}

export const GCP_KEY = 'projects/p/locations/europe-west3/keyRings/r/cryptoKeys/treasury/cryptoKeyVersions/1';
const TOKEN = 'ya29.token';

/** The REST API, and the metadata server of a machine whose account may use it. */
export function startGcpKms(): Promise<KmsServer> {
  return serve(({ method, url, headers, body }, { privateKey, publicKey }) => {
    if (url.startsWith('/computeMetadata/')) {
      const flavor = { 'metadata-flavor': 'Google' };
      if (headers['metadata-flavor'] !== 'Google') return { status: 403, body: {} };
      if (!url.includes('/token')) return { headers: flavor, body: '' };
      return { headers: flavor, body: { access_token: TOKEN, expires_in: 3600, token_type: 'Bearer' } };
    }
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: { code: 401 } } };
    if (method === 'GET' && url === `/v1/${GCP_KEY}/publicKey`) {
      const pem = publicKey.export({ type: 'spki', format: 'pem' });
      return { body: { name: GCP_KEY, algorithm: 'EC_SIGN_ED25519', pem } };
    }
    if (method === 'POST' && url === `/v1/${GCP_KEY}:asymmetricSign`) {
      const message = Buffer.from(String(body['data']), 'base64');
      return { body: { name: GCP_KEY, signature: sign(null, message, privateKey).toString('base64') } };
    }
    return { status: 404, body: { error: { code: 404 } } };
  });
}
