// Whether the configured DEX owner is the one that the program was built with.
import { unpackAccount } from '@solana/spl-token';
import { Keypair, PublicKey, type Connection } from '@solana/web3.js';
import {
  communityTokenStorageAddress,
  createToken,
  simulateComputeUnits,
  TransactionError,
  type Deployment,
} from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '../../db/database.js';
import type { ClusterParts } from './cluster-checks.js';
import { failure, ok, warning, type Finding } from './finding.js';

const SUBJECT = 'DEX owner';
/** Enough for the rents of a token's accounts and Metaplex's fee. */
const LAUNCH_LAMPORTS = 50_000_000;
/** Anchor's log of an account that is another one than was compiled in: which one, what it is, what it must be. */
const FAULTY_ACCOUNT = /AnchorError caused by account: dex_owner\./;
const EXPECTED_KEY = /Right:\s+(?:Program log: )?([1-9A-HJ-NP-Za-km-z]{32,44})/;

/** The key that owns every token's community storages is the configured one. Nothing to say when none is configured. */
export async function checkDexOwner(cluster: ClusterParts, database: Database): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  if (config.dexOwner === undefined) return [];
  const own = config.dexOwner.publicKey;
  const found =
    (await ownerOfStorage(connection, deployment, database)) ?? (await ownerInProgram(cluster, own));
  if (typeof found === 'string') {
    return [
      warning(
        SUBJECT,
        `${own.toBase58()} could not be compared with the program's: ${found}`,
        'create a token, or fund this key, and run `curvekit doctor` again',
      ),
    ];
  }
  if (found.equals(own)) return [ok(SUBJECT, `${own.toBase58()}, as the program was built with`)];
  return [
    failure(
      SUBJECT,
      `DEX_OWNER_KEYPAIR is ${own.toBase58()}, but the program was built with ${found.toBase58()}: nothing can be settled`,
      `set DEX_OWNER_KEYPAIR to the key of ${found.toBase58()}, or PROGRAM_ID to the program that was built with yours`,
    ),
  ];
}

/** Who owns a community storage of the newest token; undefined when there is none. */
async function ownerOfStorage(
  connection: Connection,
  deployment: Deployment,
  { queries }: Database,
): Promise<PublicKey | undefined> {
  const [token] = await rowsOf<{ mint: string }>(
    queries,
    sql`select mint from tokens order by record_id desc limit 1`,
  );
  if (token === undefined) return undefined;
  const { address } = communityTokenStorageAddress(new PublicKey(token.mint), deployment);
  const account = await connection.getAccountInfo(address);
  return account === null ? undefined : unpackAccount(address, account).owner;
}

/** What the program says in a simulated launch, which needs no signature and changes nothing; or why it says nothing. */
async function ownerInProgram(
  { config, connection, deployment }: ClusterParts,
  own: PublicKey,
): Promise<PublicKey | string> {
  const payers = [own, config.treasury?.publicKey, deployment.feeReceiver].filter((key) => key !== undefined);
  const accounts = await connection.getMultipleAccountsInfo(payers);
  const payer = payers.find((_, index) => (accounts[index]?.lamports ?? 0) >= LAUNCH_LAMPORTS);
  if (payer === undefined) return `no key has the ${LAUNCH_LAMPORTS} lamports that simulating a launch takes`;
  const instructions = createToken({
    ...{ payer, mint: Keypair.generate().publicKey, deployment },
    ...{ name: 'Simulated launch', symbol: 'SIM', uri: 'https://curvekit.example/simulated.json' },
    ...{ afterMigrationFee: 0, afterMigrationBurnBp: 0, afterMigrationHoldersBp: 0, afterMigrationLpBp: 0 },
  });
  try {
    await simulateComputeUnits(connection, { payer, instructions }, { deployment });
    return own;
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    const log = error.logs?.join('\n') ?? '';
    const expected = FAULTY_ACCOUNT.test(log) ? EXPECTED_KEY.exec(log)?.[1] : undefined;
    return expected === undefined ? `a simulated launch says: ${error.message}` : new PublicKey(expected);
  }
}
