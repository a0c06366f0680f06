// What callers want: a trade, a launch, a claim, or a transaction that they have signed themselves.
import { Connection, VersionedTransaction, type Keypair, type PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { createSolanaRpc } from '@solana/kit';
import { RewardsClient } from '@curvekit/sdk/rewards';
import type * as trading from '@curvekit/sdk/trade';
import { SOL } from '#tests/constants.js';
import type { Flavour } from '#tests/kit/flavours.js';
import { MemoryStore } from '#tests/program/trader.js';
import { modelSignature } from './faulty-node.js';
import { claimStatusFetch } from './claim-service.js';
import type { Told, World } from './schedules.js';

export const TERMS = { name: 'Model', symbol: 'MODEL', uri: 'https://example.org/model.json' };
export const SPENT = SOL / 10n;
/** Errors that say that the caller has to look the transaction up. */
const UNKNOWN: ReadonlySet<string> = new Set(['OutcomeUnknownError']);
/** Milliseconds between two look-ups of a remembered transaction. */
const LOOK_MS = 2_000;
const MOST_LOOKS = 100;

/** web3.js has taken the global fetch when it was loaded. */
const connectionTo = (world: World, host: string) => {
  const fetch = world.fetch as unknown as typeof globalThis.fetch;
  return new Connection(`http://${host}.test`, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch,
  });
};

/** The SDK over a library, with a new client for each schedule: a client remembers what has landed. */
export interface Library {
  readonly name: string;
  readonly flavour: Flavour;
}

function nodeOf({ name }: Library, world: World, host: string) {
  const client = name === 'web3.js' ? connectionTo(world, host) : createSolanaRpc(`http://${host}.test`);
  return client as unknown as ReturnType<Flavour['client']>;
}

/** Calls `act`, and says what the caller was told. A remembered transaction is looked up at nodes that are well. */
async function toldOf(
  world: World,
  act: () => Promise<{ readonly signature: string }>,
  lookUp?: () => Promise<trading.RememberedOutcome>,
): Promise<Told> {
  try {
    return { kind: 'succeeded', signature: (await act()).signature };
  } catch (error) {
    const { name, signature } = error as { readonly name: string; readonly signature?: string };
    if (name === 'IncompleteTransactionError') return { kind: 'succeeded', signature: signature! };
    if (!UNKNOWN.has(name)) return { kind: 'nothing', error };
    if (lookUp === undefined) return { kind: 'unknown', error };
    world.isWell = true;
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const outcome = await lookUp();
      if (outcome !== 'pending') return { kind: 'unknown', error, outcome };
      await world.time.sleep(LOOK_MS);
    }
    throw new Error('a remembered transaction stays pending', { cause: error });
  }
}

function signingWallet(world: World, publicKey: PublicKey): trading.SigningWallet {
  return {
    publicKey,
    async signTransaction(transaction) {
      await world.time.sleep(world.random.pick([0, 0, 200, 4_000]));
      signWith(world, transaction, publicKey);
      return transaction;
    },
  };
}

/** A wallet that signs and sends, and may fail before or afterwards. */
function sendingWallet(world: World, publicKey: PublicKey): trading.SendingWallet {
  const { random, chain, time } = world;
  return {
    publicKey,
    async sendTransaction(transaction) {
      await time.sleep(random.pick([0, 200, 4_000]));
      if (random.chance(0.1)) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      if (random.chance(0.1)) throw new Error('the device is locked');
      if (random.chance(0.3)) transaction.message.recentBlockhash = chain.blockhash(chain.slot).blockhash;
      const signature = signWith(world, transaction, publicKey);
      chain.forward(signature, transaction.message.recentBlockhash);
      await time.sleep(random.pick([0, 1_000]));
      if (random.chance(0.2)) throw new Error('the socket is closed');
      return random.chance(0.2) ? (undefined as unknown as string) : signature;
    },
  };
}

function signWith(world: World, transaction: VersionedTransaction, key: PublicKey): string {
  const bytes = modelSignature(transaction.message.serialize());
  transaction.addSignature(key, bytes);
  const signature = bs58.encode(bytes);
  world.note(signature);
  return signature;
}

function route(library: Library, world: World, wallet: PublicKey) {
  const remember = { store: new MemoryStore(), key: 'intent' };
  return {
    remember,
    wallet: world.random.chance(0.3) ? sendingWallet(world, wallet) : signingWallet(world, wallet),
    // It shortens the wait for each answer to a quarter of it.
    stallTimeoutMs: world.random.pick([undefined, 4_000]),
    sendClients: world.random.chance(0.3) ? [nodeOf(library, world, 'b')] : [],
    computeUnitPrice: 0n,
  };
}

/** A trade or a launch, whose outcome can be looked up. */
const remembered =
  (
    library: Library,
    wallet: PublicKey,
    act: (
      client: ReturnType<typeof nodeOf>,
      params: ReturnType<typeof route>,
    ) => Promise<{ readonly signature: string }>,
  ) =>
  (world: World): Promise<Told> => {
    const params = route(library, world, wallet);
    const client = () => nodeOf(library, world, 'a');
    return toldOf(
      world,
      () => act(client(), params),
      () => library.flavour.lookUpRemembered(client(), params.remember),
    );
  };

export const buying = (library: Library, wallet: PublicKey, mint: PublicKey) =>
  remembered(library, wallet, (client, params) =>
    library.flavour.trade(client, { ...params, mint, solToSpend: SPENT }),
  );

export const launching = (library: Library, wallet: PublicKey, mint: Keypair) =>
  remembered(library, wallet, (client, params) =>
    library.flavour.launch(client, { ...params, ...TERMS, mint }),
  );

/** A transaction that the caller has signed, with a blockhash of the model cluster. */
function signedOnce(world: World, template: Uint8Array) {
  const transaction = VersionedTransaction.deserialize(template);
  const { blockhash, lastValidBlockHeight } = world.chain.blockhash(world.chain.slot);
  transaction.message.recentBlockhash = blockhash;
  signWith(world, transaction, transaction.message.staticAccountKeys[0]!);
  return { transaction, lastValidBlockHeight };
}

type Send = (options: {
  readonly skipPreflight: boolean;
  readonly stallTimeoutMs?: number | undefined;
}) => Promise<{ readonly signature: string }>;

/** Sends a transaction, and the same one again, at nodes that are well, when its outcome is unknown. */
async function sendingAgain(world: World, send: Send): Promise<Told> {
  const skipPreflight = world.random.chance(0.3);
  const stallTimeoutMs = world.random.pick([undefined, 4_000]);
  const told = await toldOf(world, () => send({ skipPreflight, stallTimeoutMs }));
  if (told.kind !== 'unknown') return told;
  world.isWell = true;
  const again = await toldOf(world, () => send({ skipPreflight: true }));
  return again.kind === 'unknown' ? { kind: 'nothing', error: 'unknown at nodes that are well' } : again;
}

export const sending =
  (library: Library, template: Uint8Array) =>
  (world: World): Promise<Told> => {
    const signed = signedOnce(world, template);
    return sendingAgain(world, (options) =>
      library.flavour.sendAndConfirm(nodeOf(library, world, 'a'), signed, options),
    );
  };

export const claiming =
  (template: Uint8Array) =>
  (world: World): Promise<Told> => {
    const { transaction } = signedOnce(world, template);
    const signature = bs58.encode(transaction.signatures[0]!);
    const client = new RewardsClient({ baseUrl: 'http://service.test', fetch: claimStatusFetch(world) });
    return toldOf(world, async () => {
      const claim = { signature, transaction: transaction.serialize() };
      await client.follow(claim, { connection: connectionTo(world, 'a'), pollMs: 500 });
      return { signature };
    });
  };
