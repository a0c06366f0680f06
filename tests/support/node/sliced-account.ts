import { PublicKey } from '@solana/web3.js';

/** A token account in an answer with the holders: only its owner and its amount, as the service asks for them. */
export function slicedAccount(owner: string, amount: number | bigint) {
  const data = Buffer.concat([new PublicKey(owner).toBuffer(), Buffer.alloc(8)]);
  data.writeBigUInt64LE(BigInt(amount), 32);
  return { account: { data: [data.toString('base64'), 'base64'] }, pubkey: '' };
}
