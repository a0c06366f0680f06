import type { PublicKey, TransactionInstruction } from '../../chain/types.js';
import { buildInstruction, type InstructionLayout } from '../../codec/instruction.js';
import { NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../../generated/program.js';
import type { PoolAddresses, SwapParams } from '../amm.js';
import type { PoolSide } from '../trade.js';
import { PROGRAM_ID } from './addresses.js';

const ACCOUNTS = {
  owner: 's',
  authority: '',
  config: '',
  pool: 'w',
  from: 'w',
  to: 'w',
  inputVault: 'w',
  outputVault: 'w',
  inputTokenProgram: '',
  outputTokenProgram: '',
  inputMint: '',
  outputMint: '',
  observation: 'w',
} as const;

const SWAP_BASE_INPUT: InstructionLayout<
  Readonly<Record<keyof typeof ACCOUNTS, PublicKey>>,
  Pick<SwapParams, 'amountIn' | 'minAmountOut'>
> = {
  discriminator: /* @__PURE__ */ Uint8Array.from([143, 190, 90, 218, 196, 30, 51, 222]),
  accounts: ACCOUNTS,
  fields: { amountIn: 'u64', minAmountOut: 'u64' },
};

/** `swap_base_input`: pays exactly `amountIn`. */
export function swap(addresses: PoolAddresses, params: SwapParams): TransactionInstruction {
  const { authority, config, pool, vaults, observation, mint } = addresses;
  const { owner, input, from, to, amountIn, minAmountOut } = params;
  // Not imported from trade.ts: bundlers would then join this code to the maths, which some pages load alone.
  const output = input === 'sol' ? 'token' : 'sol';
  const mintOf = (side: PoolSide): PublicKey => (side === 'sol' ? NATIVE_MINT_ADDRESS : mint);
  return buildInstruction(
    SWAP_BASE_INPUT,
    PROGRAM_ID,
    {
      ...{ owner, authority, config, pool, from, to, observation },
      inputVault: vaults[input],
      outputVault: vaults[output],
      inputTokenProgram: TOKEN_PROGRAM_ADDRESS,
      outputTokenProgram: TOKEN_PROGRAM_ADDRESS,
      inputMint: mintOf(input),
      outputMint: mintOf(output),
    },
    { amountIn, minAmountOut },
  );
}
