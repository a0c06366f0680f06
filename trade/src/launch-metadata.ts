// A new token's metadata: a URI from the creator, or a picture that a service stores.
import type { Keypair } from '@solana/web3.js';
import { keypairWallet } from '@curvekit/sdk';
import { uploadPicture } from '@curvekit/sdk/launch';
import { serviceOf, textOf, type Session } from './command.js';
import { UsageError } from './errors.js';
import { readPicture } from './files.js';

/** A placeholder for the metadata's URI, which is known only after the upload. */
export const LONGEST_URI = `https://example.org/${'x'.repeat(180)}`;

export type Metadata =
  { readonly uri: string } | { readonly uri: undefined; readonly image: Blob; readonly service: string };

/** @throws UsageError unless exactly one of `--uri` and `--image` is given */
export function metadataOf(session: Session): Metadata {
  const [uri, image] = ['uri', 'image'].map((name) => textOf(session.options, name));
  const service = serviceOf(session);
  if ((uri === undefined) === (image === undefined))
    throw new UsageError('--uri', 'or --image must be given, and not both');
  if (uri !== undefined) return { uri };
  if (service === undefined)
    throw new UsageError(
      '--service',
      'is missing; --image needs the URL of the service that keeps the picture, or LAUNCHPAD_URL',
    );
  return { uri: undefined, image: readPicture('--image', image!), service };
}

/** Uploads the picture. @returns the URI of the metadata */
export async function upload(
  { options, terminal, progress }: Session,
  wallet: Keypair,
  image: Blob,
  service: string,
): Promise<string> {
  const fields = Object.fromEntries(
    ['name', 'symbol', 'description', 'website', 'x', 'telegram', 'discord'].flatMap((name) => {
      const value = textOf(options, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { name: string; symbol: string };
  const where = { baseUrl: service, signal: terminal.stopped };
  const { uri } = await uploadPicture(keypairWallet(wallet), { ...fields, image }, where);
  progress(`stored     ${uri}`);
  return uri;
}
