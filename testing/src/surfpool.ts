import { Keypair, PublicKey } from '@solana/web3.js';
import { ATA_PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { AccountContent, Backend, Genesis, Pace, TimeTravelTarget } from './backend.js';
import { callRpc } from './json-rpc.js';
import { findSurfpool } from './surfpool-addon.js';
import { startSurfpoolProcess } from './surfpool-process.js';

const PACE: Pace = {
  // Every transaction makes a slot, and a blockhash is valid for 150 slots, so it could expire with more at once.
  maxInFlight: 32,
  // It answers after it has processed the transaction.
  resendAfterMs: 100,
};

const UPGRADEABLE_LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
/** The upgradeable loader's accounts: a tag, then an address, or a slot and an optional authority. */
const PROGRAM = { tag: 2, bytes: 36 } as const;
const PROGRAM_DATA = { tag: 3, headerBytes: 45 } as const;

/** 500 million SOL, as for the mint of `solana-test-validator`. */
const PAYER_LAMPORTS = 500_000_000_000_000_000n;

/**
 * Starts Surfpool, offline, with the programs deployed and a funded payer.
 *
 * @param slotTimeMs How far the clock moves with each slot, that is with each transaction.
 * @throws ClusterStartError when the platform's package is missing or Surfpool does not come up.
 */
export async function startSurfpool({ programs, accounts }: Genesis, slotTimeMs: number): Promise<Backend> {
  const surfpool = await startSurfpoolProcess(findSurfpool(), programs, slotTimeMs);
  const { rpcUrl, wsUrl, stop } = surfpool;
  const payer = Keypair.fromSecretKey(Uint8Array.from(surfpool.payerSecretKey));
  try {
    await moveBinaryOut(rpcUrl, ATA_PROGRAM_ADDRESS);
    await setAccount(rpcUrl, payer.publicKey, { lamports: PAYER_LAMPORTS });
    for (const { address, owner, lamports, data } of accounts)
      await setAccount(rpcUrl, address, { owner, lamports, data: Buffer.from(data, 'base64') });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    kind: 'surfpool',
    rpcUrl,
    wsUrl,
    payer,
    pace: PACE,
    timeTravel: (target) => travel(rpcUrl, target),
    setAccount: (address, content) => setAccount(rpcUrl, address, content),
    stop,
  };
}

/** A busy Surfpool moves its clock later than it waits for that. The caller reads the clock, so this is no failure. */
const LATE_CLOCK = 'Failed to confirm clock update';

async function travel(rpcUrl: string, target: TimeTravelTarget): Promise<void> {
  const to = 'slot' in target ? { absoluteSlot: target.slot } : { absoluteEpoch: target.epoch };
  try {
    await callRpc(rpcUrl, 'surfnet_timeTravel', [to]);
  } catch (error) {
    if (!(error as Error).message.includes(LATE_CLOCK)) throw error;
  }
}

/**
 * Moves a program's binary out of the account that its callers name. Surfpool keeps copies of every account of the last
 * transactions, and copies these several times for each new one: with the 105 kB of the associated-token program, a buy
 * took twice the CPU time, and held 0.12 MB. The program runs the same, and costs the same compute units.
 */
async function moveBinaryOut(rpcUrl: string, program: PublicKey): Promise<void> {
  const { value } = (await callRpc(rpcUrl, 'getAccountInfo', [
    program.toBase58(),
    { encoding: 'base64' },
  ])) as {
    value: { lamports: number; owner: string; data: [string] } | null;
  };
  if (value === null || value.owner === UPGRADEABLE_LOADER.toBase58()) return;
  const [address] = PublicKey.findProgramAddressSync([program.toBuffer()], UPGRADEABLE_LOADER);
  const header = Buffer.alloc(PROGRAM_DATA.headerBytes);
  header.writeUInt32LE(PROGRAM_DATA.tag);
  const data = Buffer.concat([header, Buffer.from(value.data[0], 'base64')]);
  const account = Buffer.alloc(PROGRAM.bytes);
  account.writeUInt32LE(PROGRAM.tag);
  address.toBuffer().copy(account, 4);
  const owner = UPGRADEABLE_LOADER;
  const lamports = BigInt(value.lamports);
  await setAccount(rpcUrl, address, { owner, lamports, data });
  await setAccount(rpcUrl, program, { owner, lamports, data: account, executable: true });
}

async function setAccount(
  rpcUrl: string,
  address: PublicKey,
  content: AccountContent & { readonly executable?: boolean },
): Promise<void> {
  const { lamports, data, owner, executable } = content;
  const update = {
    ...(lamports === undefined ? {} : { lamports }),
    ...(data === undefined ? {} : { data: Buffer.from(data).toString('hex') }),
    ...(owner === undefined ? {} : { owner: owner.toBase58() }),
    ...(executable === undefined ? {} : { executable }),
  };
  await callRpc(rpcUrl, 'surfnet_setAccount', [address.toBase58(), update]);
}
