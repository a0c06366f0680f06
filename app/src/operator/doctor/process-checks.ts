// Checks of the public URL, the proxies and the rate limits.
import { Redis } from 'ioredis';
import { statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withTimeout } from '@curvekit/sdk';
import type { Config } from '../../config/config.js';
import { failure, ok, reasonOf, warning, type Finding } from './finding.js';
import { openStore } from '../../tokens/pictures/store.js';

const REDIS_TIMEOUT_MS = 3_000;

/** Behind a proxy that is not configured, all clients share one rate limit. */
export function checkProxy({ http }: Config): Finding {
  const subject = 'proxies';
  if (http.publicUrl !== undefined && http.trustProxy === 0) {
    return warning(
      subject,
      `${http.publicUrl} seems to be a proxy, and none is trusted: all clients would share one limit`,
      'set TRUST_PROXY to the number of proxies in front of the service',
      'ProxyNotTrusted',
    );
  }
  return ok(
    subject,
    http.trustProxy === 0 ? 'none; X-Forwarded-For is ignored' : `trusted: ${String(http.trustProxy)}`,
  );
}

/** Redis answers, if the limits are shared. */
export async function checkRedis({ redisUrl, database }: Config): Promise<Finding> {
  const subject = 'rate limits';
  if (redisUrl === undefined) {
    const detail = 'counted in the memory of each instance';
    return database.kind === 'pglite'
      ? ok(subject, detail)
      : warning(subject, detail, 'set REDIS_URL when there are several instances', 'LimitsNotShared');
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    retryStrategy: () => null,
  });
  // Says why `connect()` fails with nothing but "Connection is closed.".
  let cause: unknown;
  redis.on('error', (error) => (cause = error));
  try {
    await redis.connect();
    await redis.ping();
    return ok(subject, 'shared in Redis');
  } catch (error) {
    const reason = reasonOf(cause ?? error);
    return failure(
      subject,
      `Redis at ${new URL(redisUrl).host} does not answer: ${reason}`,
      /certificate|self-signed/i.test(reason)
        ? "set NODE_EXTRA_CA_CERTS=FILE to the certificate of the provider's CA, in the environment of the process, or correct the host in REDIS_URL"
        : 'start Redis, or correct REDIS_URL',
      'RedisUnreachable',
    );
  } finally {
    redis.disconnect();
  }
}

const OF_GROUP = 0o070;
const OF_EVERYBODY = 0o007;

/** A key file that all users can read is a failure. One that its group can read, as in some containers, is a warning. */
export function checkKeyFiles({ keyFiles }: Config): Finding[] {
  const open = keyFiles.flatMap(({ variable, path }) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & (OF_GROUP | OF_EVERYBODY)) === 0) return [];
    const isPublic = (mode & OF_EVERYBODY) !== 0;
    return [
      (isPublic ? failure : warning)(
        'key files',
        `${variable}: ${path} has mode ${(mode & 0o777).toString(8)}: ${isPublic ? 'every user of this machine' : 'its group'} can open it`,
        `chmod 600 ${path}`,
        'KeyFilesOpen',
      ),
    ];
  });
  if (open.length > 0) return open;
  return [ok('key files', keyFiles.length === 0 ? 'none' : 'only their owner can read them')];
}

export async function checkSigners({ signers }: Config): Promise<Finding[]> {
  const findings = await Promise.all(
    signers.map(async ({ variable, signer }): Promise<Finding | undefined> => {
      try {
        await signer.check();
        return undefined;
      } catch (error) {
        return failure(
          'signers',
          `${variable}: ${reasonOf(error)}`,
          'nothing is signed with this key until then; docs/keys.md says how each kind of signer is set up',
          'SignerFails',
        );
      }
    }),
  );
  const failed = findings.filter((finding) => finding !== undefined);
  if (failed.length > 0) return failed;
  const places = new Set(signers.map(({ signer }) => signer.place));
  return [ok('signers', places.size === 0 ? 'none' : [...places].join(', '))];
}

const UPLOADS_TIMEOUT_MS = 10_000;

/** Pictures and metadata can be stored. Leaves nothing behind. */
export async function checkUploads({ uploads }: Config): Promise<Finding> {
  const subject = 'uploads';
  const { bucket, folder } = uploads;
  try {
    if (bucket === undefined) {
      await rmdir(await mkdtemp(join(await nearestFolder(resolve(folder)), 'curvekit-doctor-')));
      return ok(subject, folder);
    }
    await withTimeout(probe(uploads), UPLOADS_TIMEOUT_MS, 'it');
    return ok(subject, `bucket ${bucket.bucket}`);
  } catch (error) {
    return bucket === undefined
      ? failure(
          subject,
          `${folder} cannot be written (${reasonOf(error)})`,
          'set UPLOADS_FOLDER to a folder that the service can write, or UPLOADS_BUCKET',
          'UploadsRefused',
        )
      : failure(
          subject,
          `the bucket ${bucket.bucket} cannot be used (${reasonOf(error)})`,
          'create it, and let the key of the AWS SDK get, put and delete objects in it; or correct UPLOADS_BUCKET and UPLOADS_BUCKET_ENDPOINT',
          'UploadsRefused',
        );
  }
}

/** The folder, or what exists above it: the service creates the rest. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined && dirname(path) !== path ? nearestFolder(dirname(path)) : path;
}

async function probe(uploads: Config['uploads']): Promise<void> {
  const store = await openStore(uploads);
  const name = `doctor-${randomUUID()}`;
  await store.write(name, Buffer.from('written by curvekit doctor'));
  await store.remove(name);
}
