// A signer on a unix socket that says what a test wants.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LyingSigner {
  readonly socket: string;
  /** The answer to every request; undefined never answers. */
  says: { readonly status: number; readonly body: string } | undefined;
  stop(): Promise<void>;
}

export async function startLyingSigner(): Promise<LyingSigner> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-signer-'));
  const signer: LyingSigner = {
    socket: join(folder, 'signer.sock'),
    says: undefined,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const server = createServer((request, response) => {
    request.resume();
    if (signer.says !== undefined) response.writeHead(signer.says.status).end(signer.says.body);
  });
  server.listen(signer.socket);
  await once(server, 'listening');
  return signer;
}
