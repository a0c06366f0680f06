import { GRADUATION_VIRTUAL_TOKEN, TOKEN_SUPPLY, type AdminSetPropertiesArgs } from '@curvekit/sdk';
import { U64_MAX } from '#tests/constants.js';

/** The highest virtual SOL that can graduate with the default virtual tokens: 280e12 · (2^64 − 1) / 1,073e12. */
export const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;

/** Values on both sides of every bound. */
export const BOUNDS: readonly {
  args: Partial<AdminSetPropertiesArgs>;
  argument: string;
  allowed: boolean;
}[] = [
  { args: { initialVirtualSol: 0n }, argument: 'initialVirtualSol', allowed: false },
  { args: { initialVirtualSol: 1n }, argument: 'initialVirtualSol', allowed: true },
  { args: { initialVirtualSol: MOST_VIRTUAL_SOL }, argument: 'initialVirtualSol', allowed: true },
  { args: { initialVirtualSol: MOST_VIRTUAL_SOL + 1n }, argument: 'initialVirtualSol', allowed: false },
  { args: { initialVirtualSol: U64_MAX }, argument: 'initialVirtualSol', allowed: false },
  ...[TOKEN_SUPPLY + 1n, TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n].flatMap((initialVirtualToken) => {
    const most = (GRADUATION_VIRTUAL_TOKEN * U64_MAX) / initialVirtualToken;
    return [
      {
        args: { initialVirtualSol: most, initialVirtualToken },
        argument: 'initialVirtualSol',
        allowed: true,
      },
      {
        args: { initialVirtualSol: most + 1n, initialVirtualToken },
        argument: 'initialVirtualSol',
        allowed: false,
      },
    ];
  }),
  { args: { initialVirtualToken: 0n }, argument: 'initialVirtualToken', allowed: false },
  { args: { initialVirtualToken: TOKEN_SUPPLY }, argument: 'initialVirtualToken', allowed: false },
  { args: { initialVirtualToken: TOKEN_SUPPLY + 1n }, argument: 'initialVirtualToken', allowed: true },
  {
    args: { initialVirtualToken: TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n },
    argument: 'initialVirtualToken',
    allowed: true,
  },
  {
    args: { initialVirtualToken: TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN },
    argument: 'initialVirtualToken',
    allowed: false,
  },
  { args: { initialVirtualToken: U64_MAX }, argument: 'initialVirtualToken', allowed: false },
  { args: { platformFeeBps: 0 }, argument: 'platformFeeBps', allowed: true },
  { args: { platformFeeBps: 1_000 }, argument: 'platformFeeBps', allowed: true },
  { args: { platformFeeBps: 1_001 }, argument: 'platformFeeBps', allowed: false },
  { args: { platformFeeBps: 65_535 }, argument: 'platformFeeBps', allowed: false },
];
