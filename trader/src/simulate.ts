// `--simulate`: builds and simulates the transaction as for a real trade, and never signs it.
import {
  type Connection,
  type PublicKey,
  type AccountInfo,
  type VersionedTransaction,
} from '@solana/web3.js';
import { associatedTokenAddress, simulationError, type Deployment } from '@curvekit/sdk';
import type { SigningWallet } from '@curvekit/sdk/trade';
import { changeText, tokenText, type Facts } from './output.js';

/** The balance changes that a transaction would cause in a wallet. */
export interface SimulatedChange {
  readonly simulated: true;
  readonly mint: PublicKey;
  /** Lamports, including fees and rent. */
  readonly walletChange: bigint;
  /** Token base units. */
  readonly tokenChange: bigint;
  readonly computeUnits: number;
}

/** Thrown instead of a signature, to get the transaction out of trade() or launch(). */
class Built extends Error {
  constructor(readonly transaction: VersionedTransaction) {
    super('built, not signed');
  }
}

/**
 * Simulates the transaction that `send` would send.
 *
 * @param send calls trade() or launch() with the given wallet
 * @throws any error that `send` throws before it signs
 */
export async function simulateSending(
  connection: Connection,
  { owner, mint, deployment }: { owner: PublicKey; mint: PublicKey; deployment: Deployment },
  send: (wallet: SigningWallet) => Promise<unknown>,
): Promise<SimulatedChange> {
  const wallet: SigningWallet = {
    publicKey: owner,
    signTransaction: (transaction) => Promise.reject(new Built(transaction)),
  };
  const transaction = await send(wallet).then(
    () => {
      throw new Error('the transaction was sent without a signature');
    },
    (error: unknown) => {
      if (error instanceof Built) return error.transaction;
      throw error;
    },
  );
  const accounts = [owner, associatedTokenAddress(owner, mint).address];
  const before = await connection.getMultipleAccountsInfo(accounts, 'confirmed');
  const { value } = await connection.simulateTransaction(transaction, {
    sigVerify: false,
    replaceRecentBlockhash: true,
    commitment: 'confirmed',
    accounts: { encoding: 'base64', addresses: accounts.map((account) => account.toBase58()) },
  });
  const failure = simulationError(value, { instructions: transaction, deployment });
  if (failure !== null) throw failure;
  const [walletAfter, tokensAfter] = value.accounts ?? [];
  const held = tokensAfter?.data[0] === undefined ? undefined : Buffer.from(tokensAfter.data[0], 'base64');
  return {
    simulated: true,
    mint,
    walletChange: BigInt(walletAfter?.lamports ?? 0) - BigInt(before[0]?.lamports ?? 0),
    tokenChange: tokensIn(held) - tokensIn((before[1] as AccountInfo<Buffer> | null)?.data),
    computeUnits: value.unitsConsumed ?? 0,
  };
}

export function simulatedFacts(change: SimulatedChange): Facts {
  const { mint, walletChange, tokenChange, computeUnits } = change;
  return [
    ['simulated', 'nothing was signed or sent'],
    ['token', mint.toBase58()],
    ['tokens', `${tokenChange > 0n ? '+' : ''}${tokenText(tokenChange)}`],
    ['wallet', `${changeText(walletChange)}, fees and rents included`],
    ['compute units', String(computeUnits)],
  ];
}

const AMOUNT_OFFSET = 64;
const ACCOUNT_BYTES = 165;

/** Token base units in a token account; 0 when there is none. */
function tokensIn(data: Buffer | undefined): bigint {
  return data === undefined || data.length < ACCOUNT_BYTES ? 0n : data.readBigUInt64LE(AMOUNT_OFFSET);
}
