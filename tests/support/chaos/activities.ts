// The work in which a service is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { SOL } from '../constants.js';
import { buyTokens, donateSol, launch, transferTokens, WHOLE_CURVE_LAMPORTS } from '../program/tokens.js';
import { claimSol } from '../service/claiming.js';
import { DIRECT_MINT, type World } from './world.js';

export interface Activity {
  readonly name: string;
  /** It is killed within this time after its beginning. */
  readonly longestMs: number;
  /** Begins the work. @returns what goes on after the kill, as wallets do */
  begin(world: World, wallets: readonly Keypair[]): Promise<readonly Promise<unknown>[]>;
}

const GIFT = SOL / 20n;
/** Base units. The parts of a settlement have remainders. */
const TOKEN_GIFT = 1_000_000_007n;
/** Percent of the returned claims that their wallets submit. */
const SUBMITTED = 70;
const TRADES = 6;

/** Claims everything of a wallet, and submits the claim in most cases. @returns whether it was submitted */
async function claim({ cluster, service, handedOut, random }: World, wallet: Keypair): Promise<boolean> {
  const submits = random.chance(SUBMITTED);
  const transaction = await claimSol(service!, wallet, DIRECT_MINT);
  if (transaction === undefined) return false;
  handedOut.add(bs58.encode(transaction.signatures[0]!));
  if (!submits) return false;
  // It may have expired: then nothing is paid.
  await cluster.connection
    .sendRawTransaction(transaction.serialize(), { skipPreflight: true })
    .catch(() => undefined);
  return true;
}

const buy = ({ cluster, traded }: World, lamports: bigint): Promise<unknown> =>
  buyTokens(cluster, traded, cluster.payer, lamports);

/** Amounts differ, because equal trades with one blockhash would be the same transaction. */
let trades = 0n;
export const nextAmount = (): bigint => 1_000_000n + (trades += 1n);

export const ACTIVITIES: readonly Activity[] = [
  {
    name: 'claims',
    longestMs: 600,
    begin: (world, wallets) => Promise.resolve(wallets.map((wallet) => claim(world, wallet))),
  },
  {
    name: 'settlement',
    longestMs: 2_500,
    begin: async (world) => {
      const { cluster, settled, giver, given } = world;
      await donateSol(cluster, settled, GIFT);
      given.sol += GIFT;
      await transferTokens(cluster, settled.mint, giver, settled.communityTokenStorage.address, TOKEN_GIFT);
      given.token += TOKEN_GIFT;
      return [];
    },
  },
  {
    name: 'graduation',
    longestMs: 1_200,
    begin: async (world) => {
      const { cluster } = world;
      await cluster.fund(cluster.payer.publicKey, WHOLE_CURVE_LAMPORTS);
      const token = await launch(cluster);
      await buyTokens(cluster, token, cluster.payer, WHOLE_CURVE_LAMPORTS);
      world.soldOut.push(token);
      return [];
    },
  },
  {
    name: 'indexing',
    longestMs: 500,
    begin: (world) => Promise.resolve(Array.from({ length: TRADES }, () => buy(world, nextAmount()))),
  },
  {
    name: 'shutdown',
    longestMs: 150,
    begin: async (world, wallets) => {
      const claims = wallets.map((wallet) => claim(world, wallet));
      await sleep(world.random.below(100));
      void world.service!.terminate();
      return [...claims, buy(world, nextAmount())];
    },
  },
];
