// A local server with the S3 protocol.
import { createRequire } from 'node:module';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

interface Server {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

type ServerClass = new (options: {
  readonly address: string;
  readonly port: number;
  readonly silent: boolean;
  readonly directory: string;
  readonly configureBuckets: readonly { readonly name: string }[];
}) => Server;

/** The only key pair that the server accepts. */
const KEY = 'S3RVER';

export interface S3Server {
  /** Variables of a service that stores its pictures there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a server with an empty bucket. While it runs, the AWS SDK in this process uses its key. */
export async function startS3Server(bucket: string): Promise<S3Server> {
  // The package has no types.
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as ServerClass;
  const folder = temporaryFolder('s3');
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  useKey(KEY);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    useKey(undefined);
    await server.close();
  };
  return {
    environment: { UPLOADS_BUCKET: bucket, UPLOADS_BUCKET_ENDPOINT: `http://127.0.0.1:${port}` },
    folder,
    stop: () => (stopped ??= stop()),
  };
}

/** Sets the variables from which the AWS SDK reads its keys when it first needs them. */
export function useKey(key: string | undefined): void {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    if (key === undefined) delete process.env[name];
    else process.env[name] = key;
}
