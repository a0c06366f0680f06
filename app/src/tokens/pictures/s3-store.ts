// Files in an S3 bucket, or on a compatible server.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { callWithin } from '../../base/call-within.js';
import type { Peers } from '../../base/peers.js';
import { unavailable } from '../../http/problem.js';
import type { FileStore } from './store.js';

export interface BucketOptions {
  readonly bucket: string;
  /** Endpoint of a server other than AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
}

/** Of one call with its attempts. A file is written while its row is locked, so a hanging store must fail soon. */
const LIMIT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const ATTEMPTS = 3;
const FOR_EVER = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = { webp: 'image/webp', json: 'application/json' };

/** The AWS SDK finds the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role. */
export function bucketStore(
  { bucket, endpoint, region }: BucketOptions,
  { limitMs = LIMIT_MS, peers }: { readonly limitMs?: number; readonly peers?: Peers | undefined } = {},
): FileStore {
  const client = new S3Client({
    region,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS },
    // Servers other than AWS support neither bucket host names nor the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const of = (name: string) => ({ Bucket: bucket, Key: name });
  const away = (error: unknown) =>
    unavailable('Pictures cannot be stored or read now; try again later', error);
  async function call<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await callWithin({ what: `the bucket ${bucket}`, limitMs }, work);
      peers?.answered('bucket');
      return answer;
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      peers?.failed('bucket');
      throw away(error);
    }
  }
  return {
    write: async (name, bytes) => {
      const ContentType = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      const file = { ...of(name), Body: bytes, ContentType, CacheControl: FOR_EVER };
      await call((abortSignal) => client.send(new PutObjectCommand(file), { abortSignal }));
    },
    read: (name) =>
      call(async (abortSignal) => {
        const { Body } = await client.send(new GetObjectCommand(of(name)), { abortSignal });
        return Body === undefined ? undefined : Buffer.from(await Body.transformToByteArray());
      }),
    remove: async (name) => {
      await call((abortSignal) => client.send(new DeleteObjectCommand(of(name)), { abortSignal }));
    },
  };
}
