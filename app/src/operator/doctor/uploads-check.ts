import { randomUUID } from 'node:crypto';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withTimeout } from '@curvekit/sdk';
import type { Config } from '../../config/config.js';
import { openStore } from '../../tokens/pictures/store.js';
import { failure, ok, reasonOf, type Finding } from './finding.js';

const TIMEOUT_MS = 10_000;

/** Pictures and metadata can be stored. Leaves nothing behind. */
export async function checkUploads({ uploads }: Config): Promise<Finding> {
  const subject = 'uploads';
  const { bucket, folder } = uploads;
  try {
    if (bucket === undefined) {
      await rmdir(await mkdtemp(join(await nearestFolder(resolve(folder)), 'curvekit-doctor-')));
      return ok(subject, folder);
    }
    await withTimeout(probe(uploads), TIMEOUT_MS, 'it');
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
