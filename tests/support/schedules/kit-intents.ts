// What callers want, with Kit.
import {
  createSolanaRpc,
  getTransactionDecoder,
  type Address,
  type SignatureBytes,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
  type TransactionSendingSigner,
} from '@solana/kit';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { KitTrading } from '#tests/kit/kit-entry.js';
import { MemoryStore } from '#tests/program/trader.js';
import { modelSignature } from './faulty-node.js';
import { sendingAgain, signedOnce, SPENT, TERMS, toldOf } from './intents.js';
import type { Told, World } from './schedules.js';

type Signers = TransactionPartialSigner | TransactionModifyingSigner | TransactionSendingSigner;

const rpcOf = (host: string) => createSolanaRpc(`http://${host}.test`);

const signatureBytes = ({ messageBytes }: Transaction) =>
  modelSignature(messageBytes as unknown as Uint8Array) as SignatureBytes;

function noted(world: World, transaction: Transaction): SignatureBytes {
  const bytes = signatureBytes(transaction);
  world.note(bs58.encode(bytes));
  return bytes;
}

function walletOf(world: World, address: Address): Signers {
  const { random, time, chain } = world;
  const kind = random.pick(['partial', 'modifying', 'sending'] as const);
  if (kind === 'partial') {
    return {
      address,
      signTransactions: (all) => Promise.resolve(all.map((one) => ({ [address]: noted(world, one) }))),
    };
  }
  if (kind === 'modifying') {
    return {
      address,
      modifyAndSignTransactions: async ([transaction]) => {
        await time.sleep(random.pick([0, 4_000]));
        const signatures = { ...transaction!.signatures, [address]: noted(world, transaction!) };
        return [{ ...transaction!, signatures }] as never;
      },
    };
  }
  return {
    address,
    signAndSendTransactions: async ([transaction]) => {
      await time.sleep(random.pick([0, 200, 4_000]));
      if (random.chance(0.1)) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      if (random.chance(0.1)) throw new Error('the device is locked');
      const { message } = VersionedTransaction.deserialize(wireOf(transaction!));
      const bytes = noted(world, transaction!);
      chain.forward(bs58.encode(bytes), message.recentBlockhash);
      await time.sleep(random.pick([0, 1_000]));
      if (random.chance(0.2)) throw new Error('the socket is closed');
      return random.chance(0.2) ? [] : [bytes];
    },
  };
}

/** A serialized transaction with room for its signatures. */
function wireOf({ messageBytes, signatures }: Transaction): Uint8Array {
  const count = Object.keys(signatures).length;
  return Buffer.concat([Buffer.of(count), Buffer.alloc(64 * count), messageBytes as unknown as Uint8Array]);
}

function route(world: World, address: Address) {
  return {
    wallet: walletOf(world, address),
    remember: { store: new MemoryStore(), key: 'intent' },
    stallTimeoutMs: world.random.pick([undefined, 4_000]),
    sendRpcs: world.random.chance(0.3) ? [rpcOf('b')] : [],
    computeUnitPrice: 0n,
  };
}

export const buyingWithKit =
  ({ trade, lookUpRemembered }: KitTrading, address: Address, mint: Address) =>
  (world: World): Promise<Told> => {
    const sending = route(world, address);
    return toldOf(
      world,
      () => trade(rpcOf('a'), { ...sending, mint, solToSpend: SPENT }),
      () => lookUpRemembered(rpcOf('a'), sending.remember),
    );
  };

export const launchingWithKit =
  ({ launch, lookUpRemembered }: KitTrading, address: Address, mintAddress: Address) =>
  (world: World): Promise<Told> => {
    const sending = route(world, address);
    const mint: TransactionPartialSigner = {
      address: mintAddress,
      signTransactions: (all) =>
        Promise.resolve(all.map((one) => ({ [mintAddress]: signatureBytes(one as Transaction) }))),
    };
    return toldOf(
      world,
      () => launch(rpcOf('a'), { ...sending, ...TERMS, mint }),
      () => lookUpRemembered(rpcOf('a'), sending.remember),
    );
  };

export const sendingWithKit =
  ({ sendAndConfirm }: KitTrading, template: Uint8Array) =>
  (world: World): Promise<Told> => {
    const { transaction, lastValidBlockHeight } = signedOnce(world, template);
    const lifetimeConstraint = {
      blockhash: transaction.message.recentBlockhash,
      lastValidBlockHeight: BigInt(lastValidBlockHeight),
    };
    const signed = {
      ...getTransactionDecoder().decode(transaction.serialize()),
      lifetimeConstraint,
    } as never;
    return sendingAgain(world, (options) => sendAndConfirm(rpcOf('a'), signed, options));
  };
