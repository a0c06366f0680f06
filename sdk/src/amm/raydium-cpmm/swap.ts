import type { PublicKey } from '@solana/web3.js';
import { Buffer, TransactionInstruction } from '../../chain.js';
import { ByteWriter } from '../../codec.js';
import { NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../generated/program.js';
import type { PoolAddresses, SwapParams } from '../amm.js';
import type { PoolSide } from '../trade.js';
import { PROGRAM_ID } from './addresses.js';

const SWAP_BASE_INPUT = /* @__PURE__ */ Uint8Array.from([143, 190, 90, 218, 196, 30, 51, 222]);

/** `swap_base_input`: pays exactly `amountIn`. */
export function swap(addresses: PoolAddresses, params: SwapParams): TransactionInstruction {
  const { authority, config, pool, vaults, observation, mint } = addresses;
  const { owner, input, from, to } = params;
  // Not imported from trade.ts: bundlers would then join this code to the maths, which some pages load alone.
  const output = input === 'sol' ? 'token' : 'sol';
  const mintOf = (side: PoolSide): PublicKey => (side === 'sol' ? NATIVE_MINT_ADDRESS : mint);
  const readOnly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
  const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
  const data = new ByteWriter(SWAP_BASE_INPUT)
    .u64('amountIn', params.amountIn)
    .u64('minAmountOut', params.minAmountOut)
    .finish();
  return new TransactionInstruction({
    programId: PROGRAM_ID,
    keys: [
      { pubkey: owner, isSigner: true, isWritable: false },
      readOnly(authority),
      readOnly(config),
      writable(pool),
      writable(from),
      writable(to),
      writable(vaults[input]),
      writable(vaults[output]),
      readOnly(TOKEN_PROGRAM_ADDRESS),
      readOnly(TOKEN_PROGRAM_ADDRESS),
      readOnly(mintOf(input)),
      readOnly(mintOf(output)),
      writable(observation),
    ],
    data: Buffer.from(data),
  });
}
