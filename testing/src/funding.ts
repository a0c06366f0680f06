import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { requirePositiveU64 } from './arguments.js';
import type { TransactionSender } from './send.js';

/** Somewhat fewer transfers than fit into one transaction. */
const TRANSFERS_PER_TRANSACTION = 20;

/** Funds addresses from the cluster's payer. */
export class Funding {
  constructor(
    private readonly sender: TransactionSender,
    private readonly payer: Keypair,
  ) {}

  /** Adds `lamports` to each address. */
  async fund(addresses: readonly PublicKey[], lamports: bigint): Promise<void> {
    requirePositiveU64('lamports', lamports);
    const transfers = addresses.map((toPubkey) =>
      SystemProgram.transfer({ fromPubkey: this.payer.publicKey, toPubkey, lamports }),
    );
    const batches = Array.from(
      { length: Math.ceil(transfers.length / TRANSFERS_PER_TRANSACTION) },
      (_, index) =>
        transfers.slice(index * TRANSFERS_PER_TRANSACTION, (index + 1) * TRANSFERS_PER_TRANSACTION),
    );
    await Promise.all(batches.map((batch) => this.sender.send(batch, [this.payer])));
  }

  /** New wallets with `lamports` each. */
  async wallets(count: number, lamports: bigint): Promise<Keypair[]> {
    const wallets = Array.from({ length: count }, () => Keypair.generate());
    await this.fund(
      wallets.map(({ publicKey }) => publicKey),
      lamports,
    );
    return wallets;
  }
}
