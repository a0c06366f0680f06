// An https server with its own certificate, for code that fetches from foreign servers.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { listening } from '#tests/node/serve.js';
import { run } from '#tests/process/run.js';

export interface HttpsServer {
  readonly port: number;
  /** The certificate, which a client must trust. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** Starts the server on a free port. @param names for its certificate. @throws when openssl is not installed */
export async function startHttpsServer(
  names: readonly string[],
  listener: RequestListener,
): Promise<HttpsServer> {
  const folder = temporaryFolder('https');
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subjectAltName = ['IP:127.0.0.1', ...names.map((name) => `DNS:${name}`)].join(',');
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${subjectAltName}`];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  await run('openssl', ['req', '-x509', '-days', '2', ...newKey, '-out', certificateFile, ...subject]).catch(
    (cause: unknown) => {
      throw new Error('openssl made no certificate; is it installed? `apt-get install openssl`', { cause });
    },
  );
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certificateFile, 'utf8')]);
  const server = createServer({ key, cert }, listener);
  return { ca: cert, ...(await listening(server)) };
}
