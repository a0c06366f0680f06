// `launch`
import type { Command } from 'commander';
import { launch, prepareLaunch, type LaunchResult } from '@curvekit/sdk/trade';
import { keypairWallet } from '@curvekit/sdk';
import { chooseFeeShare, type FeeShare, type FeeShareTerms } from '@curvekit/sdk/market';
import { Keypair } from '@solana/web3.js';
import { findVanityMint, uploadPicture } from '@curvekit/sdk/launch';
import {
  keypairOf,
  type Options,
  type Registration,
  serviceOf,
  type Session,
  textOf,
  work,
} from '../command.js';
import { UsageError } from '../errors.js';
import { readKeypair, readPicture } from '../files.js';
import { slippageOf } from '../order.js';
import { changeText, solText, tokenText, type Facts } from '../output.js';
import { preparingOf, sendingOf, withSending } from '../sending.js';
import { simulatedFacts, simulatePrepared } from '../simulate.js';
import { address, basisPoints, sol } from '../values.js';

export function registerLaunch(program: Command, registration: Registration): void {
  const command = program
    .command('launch')
    .description('create a token, with a first buy in the same transaction if you like')
    .requiredOption('--name <text>', 'at most 32 bytes')
    .requiredOption('--symbol <text>', 'at most 10 bytes')
    .option('--uri <url>', 'address of metadata that you keep yourself, at most 200 bytes')
    .option(
      '--image <file>',
      'picture to keep at --service, with its metadata: PNG, JPEG, WebP or GIF, 4 MiB',
    )
    .option('--service <url>', "service that keeps the picture, if not the launchpad's")
    .option('--description <text>', 'for the metadata, with --image')
    .option('--website <url>', 'for the metadata, with --image')
    .option('--x <url>', 'for the metadata, with --image')
    .option('--telegram <url>', 'for the metadata, with --image')
    .option('--discord <url>', 'for the metadata, with --image')
    .option(
      '--fee-share <who>',
      "who earns the creator's share of each fee, for ever: traders, or 2 to 10 wallets with their parts, WALLET=60%,WALLET=40% (default: you)",
    )
    .option('--first-buy <sol>', 'SOL that you buy for before anyone else, fee included')
    .option('--slippage <share>', 'how much worse than quoted the first buy may be: 0.5% or 50bps', '1%')
    .option('--mint <file>', 'key of the token; a new one else')
    .option('--prefix <text>', 'search a key whose address begins so; each character takes 58 times as long')
    .option('--suffix <text>', 'search a key whose address ends so')
    .option(
      '--community-fee <share>',
      'of the liquidity after migration: 0%, 0.25%, 0.5%, 1%, 2% or 5%',
      '0%',
    )
    .option('--burn <share>', 'burned share of the community fee', '0%')
    .option('--holders <share>', "holders' share of the community fee", '0%')
    .option('--liquidity <share>', "the liquidity's share of the community fee; the rest is yours", '0%');
  work(withSending(command), registration, runLaunch);
}

async function runLaunch(session: Session): Promise<void> {
  const { connection, deployment, options, print, progress } = session;
  const [name, symbol, firstBuy] = [
    textOf(options, 'name')!,
    textOf(options, 'symbol')!,
    textOf(options, 'firstBuy'),
  ];
  const preparing = preparingOf(session, keypairOf(session));
  const { wallet } = preparing;
  const metadata = metadataOf(session);
  const share = feeShareOf(options);
  if (share !== undefined) requireService(session);
  const terms = {
    firstBuy: firstBuy === undefined ? undefined : sol('--first-buy', firstBuy),
    slippageBps: slippageOf(options),
    afterMigrationFee: shareOf(options, 'communityFee', '--community-fee'),
    afterMigrationBurnBp: shareOf(options, 'burn', '--burn'),
    afterMigrationHoldersBp: shareOf(options, 'holders', '--holders'),
    afterMigrationLpBp: shareOf(options, 'liquidity', '--liquidity'),
  };
  const mint = await mintOf(session);
  progress(`mint       ${mint.publicKey.toBase58()}`);
  const isSimulated = options['simulate'] === true;
  const params = { ...preparing, ...terms, name, symbol };
  if (isSimulated) {
    const uri = metadata.uri ?? LONGEST_URI;
    const who = { owner: wallet.publicKey, mint: mint.publicKey, deployment };
    const prepared = prepareLaunch(connection, { ...params, uri, mint: mint.publicKey });
    const change = await simulatePrepared(connection, who, prepared);
    print(change, simulatedFacts(change));
    return;
  }
  const uri = metadata.uri ?? (await upload(session, wallet, metadata.image, metadata.service));
  const feeShare =
    share &&
    ((token: Pick<FeeShareTerms, 'mint' | 'slot'>) =>
      chooseFeeShare(keypairWallet(wallet), { ...token, share }, { baseUrl: requireService(session) }));
  const result = await launch(connection, { ...params, ...sendingOf(session), uri, mint, feeShare });
  print(documentOf(result, uri), factsOf(result, uri));
}

function feeShareOf(options: Options): FeeShare | undefined {
  const given = textOf(options, 'feeShare');
  if (given === undefined) return undefined;
  if (given === 'creator' || given === 'traders') return { kind: given };
  const wallets = given.split(',').map((part) => {
    const [wallet = '', share = ''] = part.split('=');
    return { wallet: address('--fee-share', wallet).toBase58(), bps: basisPoints('--fee-share', share) };
  });
  return { kind: 'split', wallets };
}

function requireService(session: Session): string {
  const service = serviceOf(session);
  if (service === undefined)
    throw new UsageError(
      '--fee-share',
      'needs a service that keeps the choice; name it with --launchpad or --service',
    );
  return service;
}

function shareOf(options: Options, name: string, argument: string): number {
  return basisPoints(argument, textOf(options, name)!);
}

function documentOf(result: LaunchResult, uri: string): object {
  const { signature, slot, networkFee, walletChange, mint, firstBuy } = result;
  const { solAmount, tokenAmount, platformFee } = firstBuy ?? {};
  return {
    signature,
    slot,
    mint: mint.publicKey,
    uri,
    networkFee,
    walletChange,
    firstBuy: firstBuy === undefined ? null : { solAmount, tokenAmount, platformFee },
  };
}

function factsOf(
  { signature, slot, mint, firstBuy, networkFee, walletChange }: LaunchResult,
  uri: string,
): Facts {
  return [
    ['launched', mint.publicKey.toBase58()],
    ['metadata', uri],
    ...(firstBuy === undefined
      ? []
      : [['first buy', `${tokenText(firstBuy.tokenAmount)} for ${solText(firstBuy.solAmount)}`] as const]),
    ['fees', `${solText(networkFee)} network`],
    ['wallet', `${changeText(walletChange)}, fees and rents included`],
    ['signature', `${signature} in slot ${slot}`],
  ];
}

async function mintOf({ options, terminal, progress }: Session): Promise<Keypair> {
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

/** A placeholder for the metadata's URI, which is known only after the upload. */
const LONGEST_URI = `https://example.org/${'x'.repeat(180)}`;

type Metadata =
  { readonly uri: string } | { readonly uri: undefined; readonly image: Blob; readonly service: string };

/** @throws UsageError unless exactly one of `--uri` and `--image` is given */
function metadataOf(session: Session): Metadata {
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
async function upload(
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
