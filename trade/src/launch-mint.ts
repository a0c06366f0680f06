// The mint keypair of a new token: from a file, from a vanity search, or random.
import { Keypair } from '@solana/web3.js';
import { findVanityMint } from '@curvekit/sdk/launch';
import { textOf, type Session } from './command.js';
import { UsageError } from './errors.js';
import { readKeypair } from './files.js';

export async function mintOf({ options, terminal, progress }: Session): Promise<Keypair> {
  const [file, prefix, suffix] = ['mint', 'prefix', 'suffix'].map((name) => textOf(options, name));
  const isVanity = prefix !== undefined || suffix !== undefined;
  if (file !== undefined && isVanity)
    throw new UsageError('--mint', 'is given beside --prefix or --suffix; give a key, or what to search');
  if (file !== undefined) return readKeypair('--mint', file);
  if (!isVanity) return Keypair.generate();
  const { mint } = await findVanityMint({
    prefix,
    suffix,
    signal: terminal.stopped,
    progressMs: 5_000,
    onProgress: ({ tried, perSecond, expected }) => {
      const counts = [tried, expected, perSecond].map((count) => Math.round(count).toLocaleString('en'));
      progress(`searching  ${counts[0]} keys tried, ${counts[1]} on average, ${counts[2]} a second`);
    },
  });
  return mint;
}
