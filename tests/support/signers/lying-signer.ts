// A signer on a unix socket that says what a test wants.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keypair } from '@solana/web3.js';
import { signatureBy } from '#app/keys/ed25519.js';

export interface Said {
  readonly status: number;
  readonly body: string;
}

export interface LyingSigner {
  readonly socket: string;
  /** The answer to every request, given its body; undefined never answers. */
  says: (asked: string) => Said | undefined;
  stop(): Promise<void>;
}

/** What a signer with the key says. */
export function signedBy(key: Keypair, asked: string): Said {
  const { message } = JSON.parse(asked) as { readonly message: string };
  const signature = Buffer.from(signatureBy(key, Buffer.from(message, 'base64'))).toString('base64');
  return { status: 200, body: JSON.stringify({ signature }) };
}

export async function startLyingSigner(): Promise<LyingSigner> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-signer-'));
  const signer: LyingSigner = {
    socket: join(folder, 'signer.sock'),
    says: () => undefined,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const server = createServer((request, response) => {
    let asked = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (asked += chunk));
    request.on('end', () => {
      const said = signer.says(asked);
      if (said !== undefined) response.writeHead(said.status).end(said.body);
    });
  });
  server.listen(signer.socket);
  await once(server, 'listening');
  return signer;
}
