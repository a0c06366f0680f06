// A signer in another process of this machine: HTTP with JSON over a unix socket. docs/keys.md has the protocol.
import { request } from 'node:http';
import { PublicKey } from '@solana/web3.js';
import { SignerError } from './signer.js';
import type { SocketUrl } from './signer-url.js';
import type { KeyService } from './remote-signer.js';

/** An answer is a signature or a sentence. */
const LONGEST_ANSWER = 10_000;
const REFUSED = 403;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export function socketService({ socket, address, paysClaims }: SocketUrl): KeyService {
  const place = `the signer at ${socket}`;

  function call(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      // A connection each: one that is reused can end as it is used again.
      const call = request(
        { socketPath: socket, agent: false, method, path, headers, signal },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
            if (text.length <= LONGEST_ANSWER) return;
            reject(new Error('its answer is too long'));
            call.destroy();
          });
          response.on('error', reject);
          response.on('end', () => {
            try {
              resolve({ status: response.statusCode ?? 0, body: Object(JSON.parse(text)) as Answer['body'] });
            } catch {
              reject(new Error(`status ${response.statusCode}, and no JSON`));
            }
          });
        },
      );
      call.on('upgrade', (_response, connection) => {
        connection.destroy();
        reject(new Error('status 101, and no JSON'));
      });
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function post(path: string, asked: object, signal: AbortSignal): Promise<Answer['body']> {
    const { status, body } = await call('POST', path, signal, { address, ...asked });
    if (status === 200) return body;
    const { error } = body;
    const said = typeof error === 'string' ? error : `status ${status}`;
    if (status === REFUSED) throw new SignerError('refused', `${place} refuses to sign: ${said}`);
    throw new Error(said);
  }

  return {
    place,
    remedy: `see that \`curvekit signer --socket ${socket}\` runs, and that this user may open the socket`,
    async sign(message, signal) {
      const asked = { message: Buffer.from(message).toString('base64') };
      const { signature } = await post('/v1/sign', asked, signal);
      if (typeof signature === 'string') return Buffer.from(signature, 'base64');
      throw new Error('it answers without a signature');
    },
    ...(paysClaims && { claim: (request, signal) => post('/v1/claims', request, signal) }),
    async publicKey(signal) {
      const { status, body } = await call('GET', '/v1/keys', signal);
      if (status !== 200 || !Array.isArray(body['addresses'])) throw new Error(`status ${status}`);
      if (typeof body['problem'] === 'string')
        throw new SignerError('refused', `${place} refuses to sign: ${body['problem']}`);
      return body['addresses'].includes(address) ? new PublicKey(address).toBytes() : undefined;
    },
  };
}
