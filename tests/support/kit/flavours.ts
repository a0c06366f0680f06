// trade(), launch() and sendAndConfirm() over web3.js and over each major version of Kit, called with web3.js's types, so that
// one test covers all.
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit';
import {
  Connection,
  Keypair,
  PublicKey,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { sendAndConfirm, type PreparedTransaction } from '@curvekit/sdk';
import * as web3 from '@curvekit/sdk/trade';
import { rejection } from '#tests/mocha/failures.js';
import { KIT_MAJORS, kitTrading, type KitMajor, type KitTrading } from './kit-entry.js';

/** A client of an RPC node, of the flavour's library. */
type Client = { readonly isClient: never };
type Traded = Awaited<ReturnType<typeof web3.trade>>;
type Launched = Omit<Awaited<ReturnType<typeof web3.launch>>, 'mint'> & {
  readonly mint: Pick<Keypair, 'publicKey'>;
};

type Prepared = Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight' | 'nonce'>;

/** Parameters as those of web3.js. `sendClients` takes the place of `sendConnections`, and of `sendRpcs`. */
export type Params = Readonly<Record<string, unknown>> & { readonly sendClients?: readonly Client[] };

export interface Flavour {
  /** The same client each time, because a client remembers the last transaction that landed. */
  client(rpcUrl: string): Client;
  /** A client whose node reads, and takes no transaction. */
  deafClient(rpcUrl: string): Client;
  trade(client: Client, params: Params): Promise<Traded>;
  launch(client: Client, params: Params): Promise<Launched>;
  prepareTrade(client: Client, params: Params): Promise<Prepared>;
  sendAndConfirm(
    client: Client,
    sent: Prepared,
    options?: object,
  ): Promise<{ slot: number; signature: string }>;
  lookUpRemembered(client: Client, memory: web3.TransactionMemory): Promise<web3.RememberedOutcome>;
}

/** Pairs of the library's name and its loader. */
export const FLAVOURS: readonly (readonly [name: string, load: () => Promise<Flavour>])[] = [
  ['web3.js', () => Promise.resolve(web3Flavour())],
  ...KIT_MAJORS.map((major) => [major, () => kitFlavour(major)] as const),
];

/** The error that a promise rejects with, which must have this name: each entry has classes of its own. */
export async function failure(
  promise: Promise<unknown>,
  name: string,
): Promise<Error & Readonly<Record<string, unknown>>> {
  const error = await rejection(promise, Error);
  expect(error.name, error.message).to.equal(name);
  return error as Error & Readonly<Record<string, unknown>>;
}

function cached<T>(make: (url: string) => T): (url: string) => Client {
  const made = new Map<string, T>();
  return (url) => {
    if (!made.has(url)) made.set(url, make(url));
    return made.get(url) as Client;
  };
}

const refuseToSend = () => Promise.reject(new Error('503'));

function web3Flavour(): Flavour {
  const connect = (url: string) =>
    new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  const given = ({ sendClients, ...params }: Params) => {
    const [composition, rest] = composed(params, web3.compose);
    return { ...rest, composition, ...(sendClients && { sendConnections: sendClients }) } as never;
  };
  return {
    client: cached(connect),
    deafClient: (url) => Object.assign(connect(url), { sendRawTransaction: refuseToSend }) as never,
    trade: (client, params) => web3.trade(client as never, given(params)),
    launch: (client, params) => web3.launch(client as never, given(params)),
    prepareTrade: (client, params) => web3.prepareTrade(client as never, given(params)),
    sendAndConfirm: (client, sent, options) => sendAndConfirm(client as never, sent, options),
    lookUpRemembered: (client, memory) => web3.lookUpRemembered(client as never, memory),
  };
}

async function kitFlavour(major: KitMajor): Promise<Flavour> {
  const kit = await kitTrading(major);
  return {
    client: cached(createSolanaRpc),
    deafClient: (url) =>
      new Proxy(createSolanaRpc(url) as object, {
        get: (rpc, name) =>
          name === 'sendTransaction' ? () => ({ send: refuseToSend }) : (Reflect.get(rpc, name) as unknown),
      }) as Client,
    trade: async (client, params) =>
      web3Result(await kit.trade(client as never, (await kitParams(kit, params)) as never)),
    launch: async (client, params) => {
      const { mint, ...launched } = await kit.launch(
        client as never,
        (await kitParams(kit, params)) as never,
      );
      return {
        ...web3Result<Omit<Launched, 'mint'>>(launched),
        mint: { publicKey: new PublicKey(mint.address) },
      };
    },
    prepareTrade: async (client, params) => {
      const prepared = await kit.prepareTrade(client as never, (await kitParams(kit, params)) as never);
      const { nonce: value, ...lifetime } = prepared.lifetimeConstraint as unknown as Record<string, string>;
      return {
        transaction: web3Transaction(prepared),
        lastValidBlockHeight: Number(lifetime['lastValidBlockHeight'] ?? Number.MAX_SAFE_INTEGER),
        nonce: value === undefined ? value : { value, account: lifetime['nonceAccountAddress']!, slot: 0 },
      };
    },
    sendAndConfirm: async (client, { transaction, lastValidBlockHeight, nonce }, options = {}) => {
      const { recentBlockhash: blockhash } = transaction.message;
      const lifetimeConstraint = nonce
        ? { nonce: nonce.value, nonceAccountAddress: nonce.account }
        : { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
      const sent = { ...kitTransaction(transaction), lifetimeConstraint };
      return web3Result(await kit.sendAndConfirm(client as never, sent as never, options));
    },
    lookUpRemembered: (client, memory) => kit.lookUpRemembered(client as never, memory),
  };
}

export const signerOf = ({ secretKey }: Keypair) => createKeyPairSignerFromBytes(secretKey);

/** Leaves values of a wrong type unchanged, so that the library refuses them. */
async function kitParams(
  { compose }: KitTrading,
  { sendClients, wallet, mint, sender, deployment, ...params }: Params,
): Promise<object> {
  const [composition, rest] = composed(params, (given) => compose(kitParts(given) as never));
  const send = sender as ((transaction: VersionedTransaction) => unknown) | undefined;
  return {
    ...rest,
    composition,
    wallet: await kitWallet(wallet),
    ...(deployment !== undefined && { deployment: JSON.parse(JSON.stringify(deployment)) as object }),
    ...(mint !== undefined && {
      mint: mint instanceof Keypair ? await signerOf(mint) : mint instanceof PublicKey ? String(mint) : mint,
    }),
    ...(sendClients && { sendRpcs: sendClients }),
    ...(send && { sender: (transaction: Transaction) => send(web3Transaction(transaction)) }),
  };
}

/** The parts of `compose()` among the parameters, composed; and the rest. */
function composed(params: Params, compose: (given: never) => unknown): [composition: unknown, rest: object] {
  const { before, after, tip, extraLamports, nonce, lookupTables, ...rest } = params;
  const given = { before, after, tip, extraLamports, nonce, lookupTables };
  const isGiven = Object.values(given).some((part) => part !== undefined);
  return [isGiven ? compose(given as never) : undefined, rest];
}

const kitParts = ({ before, after, tip, nonce, lookupTables, ...rest }: web3.Composition) => ({
  ...rest,
  before: before && kitInstructions(before),
  after: after && kitInstructions(after),
  tip: tip && { ...tip, to: String(tip.to) },
  nonce: nonce?.toBase58(),
  lookupTables:
    lookupTables &&
    Object.fromEntries(lookupTables.map(({ key, state }) => [String(key), state.addresses.map(String)])),
});

const kitInstructions = (given: unknown) =>
  (given as Partial<TransactionInstruction>[]).map(({ programId, keys = [], data = [] }) => ({
    ...(programId && { programAddress: String(programId) }),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: String(pubkey),
      role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    })),
    data: Uint8Array.from(data),
  }));

async function kitWallet(wallet: unknown): Promise<unknown> {
  if (wallet instanceof Keypair) return signerOf(wallet);
  const { publicKey, signTransaction, sendTransaction } = (wallet ?? {}) as Partial<
    web3.SigningWallet & {
      sendTransaction: (transaction: VersionedTransaction) => Promise<string | undefined>;
    }
  >;
  const address = publicKey?.toString();
  if (signTransaction !== undefined)
    return {
      address,
      modifyAndSignTransactions: async ([transaction]: Transaction[]) => {
        const signed = await signTransaction(web3Transaction(transaction!));
        return [{ ...transaction, ...kitTransaction(signed) }];
      },
    };
  if (sendTransaction === undefined) return { address };
  return {
    address,
    signAndSendTransactions: async ([transaction]: Transaction[]) => {
      const answer = await sendTransaction(web3Transaction(transaction!));
      return answer === undefined ? [] : [bs58.decode(answer)];
    },
  };
}

const web3Transaction = (transaction: Transaction) =>
  VersionedTransaction.deserialize(Uint8Array.from(getTransactionEncoder().encode(transaction)));
const kitTransaction = (transaction: VersionedTransaction) =>
  getTransactionDecoder().decode(transaction.serialize());

/** The addresses of a record become keys, and slots numbers. */
function web3Result<T>(result: object): T {
  const { slot, record } = result as { slot: unknown; record?: object };
  return {
    ...result,
    slot: Number(slot),
    ...('record' in result && { record: record && keysOf(record) }),
  } as T;
}

function keysOf(record: object): object {
  const names = ['mint', 'trader', 'creator', 'tokenOwnerPda'];
  const entries = Object.entries(record) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, names.includes(name) ? new PublicKey(value as string) : value]),
  );
}
