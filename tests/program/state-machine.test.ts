// A curve goes from trading to finalized to migrated, and never back. Tests each instruction in each state.
import type { TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { createTokenAccountIfMissing, KEY_HELD_DEPLOYMENT, type TokenOwnerData } from '@curvekit/sdk';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { CLOSED, LOGICAL, NOT_READY } from '#tests/program/refusals.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { buyTokens, curveState, launch, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';

const { rawBuyToken, rawCreateToken, rawMigrate, rawSellToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

const STATES = ['trading', 'finalized', 'migrated'] as const;
type State = (typeof STATES)[number];

describe('the state machine of a curve', () => {
  const cluster = useKeyHeldCluster();

  /** A token in the given state. The cluster's payer holds some of it, and the fee receiver has a token account. */
  async function tokenIn(state: State): Promise<Token> {
    const { payer, feeReceiver } = cluster();
    const token = await launch(cluster());
    await cluster().send(
      [createTokenAccountIfMissing(payer.publicKey, feeReceiver.publicKey, token.mint)],
      [payer],
    );
    await buyTokens(cluster(), token, payer, state === 'trading' ? 1_000_000_000n : WHOLE_CURVE_LAMPORTS);
    if (state === 'migrated') await cluster().send([rawMigrate(token.mint)], [payer, feeReceiver]);
    return token;
  }

  const stateOf = async (token: Token): Promise<TokenOwnerData['initialized']> =>
    (await curveState(cluster(), token)).initialized;

  const INSTRUCTIONS: readonly {
    readonly name: string;
    readonly build: (token: Token) => TransactionInstruction;
    /** The result in each state: the number of the next state, or the refusal. */
    readonly outcome: Readonly<Record<State, number | string>>;
  }[] = [
    {
      name: 'createToken',
      build: ({ mint }) => rawCreateToken(mint, cluster().payer.publicKey),
      outcome: { trading: LOGICAL, finalized: LOGICAL, migrated: LOGICAL },
    },
    {
      name: 'a buyToken of a part',
      build: ({ mint }) => rawBuyToken(mint, cluster().payer.publicKey),
      outcome: { trading: 1, finalized: CLOSED, migrated: CLOSED },
    },
    {
      name: 'a buyToken of all that is left',
      build: ({ mint }) =>
        rawBuyToken(mint, cluster().payer.publicKey, { args: { solToSpend: WHOLE_CURVE_LAMPORTS } }),
      outcome: { trading: 2, finalized: CLOSED, migrated: CLOSED },
    },
    {
      name: 'sellToken',
      build: ({ mint }) => rawSellToken(mint, cluster().payer.publicKey),
      outcome: { trading: 1, finalized: CLOSED, migrated: CLOSED },
    },
    {
      name: 'migrate',
      build: ({ mint }) => rawMigrate(mint),
      outcome: { trading: NOT_READY, finalized: 3, migrated: LOGICAL },
    },
  ];

  for (const state of STATES) {
    describe(`Given a ${state} curve`, () => {
      for (const { name, build, outcome } of INSTRUCTIONS) {
        const expected = outcome[state];
        const what = typeof expected === 'string' ? expected : `it is ${STATES[expected - 1]}`;

        it(`when there is ${name}, then ${what}`, async () => {
          const { payer, feeReceiver } = cluster();
          const token = await tokenIn(state);
          expect(await stateOf(token)).to.equal(STATES.indexOf(state) + 1);
          const instruction = build(token);
          const signers = name === 'migrate' ? [feeReceiver] : [];
          if (typeof expected === 'string') await expectRefused(cluster(), [instruction], signers, expected);
          else {
            await cluster().send([instruction], [payer, ...signers]);
            expect(await stateOf(token)).to.equal(expected);
          }
        });
      }
    });
  }
});
