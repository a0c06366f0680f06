import { Keypair } from '@solana/web3.js'; // threat: ungraduatable-settings
import { expect } from 'chai';
import {
  adminSetProperties,
  decodeRecords,
  encodeProperties,
  fetchProperties,
  GRADUATION_VIRTUAL_TOKEN,
  InvalidArgumentError,
  PROPERTIES_ADDRESS,
  PROPERTIES_BUMP,
  PROPERTIES_SIZE,
  quoteBuy,
  TOKEN_SUPPLY,
  type AdminSetPropertiesArgs,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LaunchProperties, type SentTransaction } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { expectRefused, LOGICAL } from '#tests/cluster/refusals.js';
import { SOL, U64_MAX } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { afterBuy, holdings } from '#tests/program/holdings.js';
import {
  blankMint,
  rawAdminSetProperties,
  rawBuyToken,
  rawCreateToken,
} from '#tests/program/raw-instructions.js';
import { curveState, launch, openTokenAccount } from '#tests/program/tokens.js';

/** The highest virtual SOL that can graduate with the default virtual tokens: 280e12 · (2^64 − 1) / 1,073e12. */
const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;
const [FEWEST, MOST] = [TOKEN_SUPPLY + 1n, TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n];
const mostSol = (initialVirtualToken: bigint): bigint =>
  (GRADUATION_VIRTUAL_TOKEN * U64_MAX) / initialVirtualToken;

/** Values on both sides of every bound. The first argument is the one that is refused. */
const ALLOWED: readonly Partial<AdminSetPropertiesArgs>[] = [
  { initialVirtualSol: 1n },
  { initialVirtualSol: MOST_VIRTUAL_SOL },
  ...[FEWEST, MOST].flatMap((initialVirtualToken) => [
    { initialVirtualToken },
    { initialVirtualSol: mostSol(initialVirtualToken), initialVirtualToken },
  ]),
  { platformFeeBps: 0 },
  { platformFeeBps: 1_000 },
];
const REFUSED: readonly Partial<AdminSetPropertiesArgs>[] = [
  ...[0n, MOST_VIRTUAL_SOL + 1n, U64_MAX].map((initialVirtualSol) => ({ initialVirtualSol })),
  ...[FEWEST, MOST].map((initialVirtualToken) => ({
    ...{ initialVirtualSol: mostSol(initialVirtualToken) + 1n, initialVirtualToken },
  })),
  ...[0n, FEWEST - 1n, MOST + 1n, U64_MAX].map((initialVirtualToken) => ({ initialVirtualToken })),
  ...[1_001, 65_535].map((platformFeeBps) => ({ platformFeeBps })),
];

const told = (args: Partial<AdminSetPropertiesArgs>) =>
  Object.entries(args)
    .map(([name, value]) => `${name} is ${value}`)
    .join(', ');

describe('adminSetProperties', () => {
  const cluster = useCluster();

  /** Sets the default properties with some changes. The cluster's payer pays the transaction fee. */
  function set(changes: Partial<LaunchProperties>): Promise<SentTransaction> {
    const { payer, admin } = cluster();
    return cluster().send(adminSetProperties({ ...DEFAULT_PROPERTIES, ...changes }), [payer, admin]);
  }

  afterEach('set the default properties again', () => set({}));

  it('when the admin sets them again, then the same account holds the new ones, and the admin pays nothing', async () => {
    const { connection, admin } = cluster();
    const account = await connection.getAccountInfo(PROPERTIES_ADDRESS);
    const held = await lamportsOf(connection, admin.publicKey);
    const next = {
      initialVirtualSol: 12_345_678_901n,
      initialVirtualToken: 1_111_111_111_111_111n,
      platformFeeBps: 321,
    };
    const { transaction } = await set(next);
    const changed = await connection.getAccountInfo(PROPERTIES_ADDRESS);
    const data = encodeProperties({ initialized: 1, bump: PROPERTIES_BUMP, ...next });
    expect(changed).to.deep.equal({ ...account!, data: Buffer.from(data) });
    expect(await lamportsOf(connection, admin.publicKey)).to.equal(held);
    expect(decodeRecords(transaction)).to.deep.equal([]);
  });

  for (const args of ALLOWED)
    it(`when ${told(args)}, then the program sets the properties`, async () => {
      await set(args);
      const expected = { initialized: 1, bump: PROPERTIES_BUMP, ...DEFAULT_PROPERTIES, ...args };
      expect(await fetchProperties(cluster().connection)).to.deep.equal(expected);
    });

  for (const args of REFUSED)
    it(`when ${told(args)}, then the SDK names the argument, and the program changes nothing`, async () => {
      const { admin } = cluster();
      const instruction = rawAdminSetProperties({ args });
      const refused = await expectRefused(cluster(), [instruction], [admin], LOGICAL);
      expect(refused.instruction).to.deep.equal({ index: 0, name: 'adminSetProperties' });
      const building = Promise.resolve().then(() => adminSetProperties({ ...DEFAULT_PROPERTIES, ...args }));
      const { argument } = await rejection(building, InvalidArgumentError);
      expect(argument).to.equal(Object.keys(args)[0]);
    });

  it('when the bump is not canonical, then the program refuses it', async () => {
    for (const bump of [PROPERTIES_BUMP - 1, 0])
      await expectRefused(cluster(), [rawAdminSetProperties({ args: { bump } })], [cluster().admin], LOGICAL);
  });

  it('when the fee changes, then the next trade of a curve and the record of a new token have it', async () => {
    const { payer } = cluster();
    const trader = await cluster().fundedWallet();
    const token = await launch(cluster());
    await openTokenAccount(cluster(), trader.publicKey, token.mint);
    for (const platformFeeBps of [100, 0, 1_000, 1]) {
      await set({ platformFeeBps });
      const quote = quoteBuy({ ...(await curveState(cluster(), token)), platformFeeBps }, SOL);
      expect(quote.fee).to.equal((SOL * BigInt(platformFeeBps)) / 10_000n);
      const before = await holdings(cluster(), token, trader.publicKey);
      const purchase = rawBuyToken(token.mint, trader.publicKey, { args: { solToSpend: SOL } });
      await cluster().send([purchase], [payer, trader]);
      const after = await holdings(cluster(), token, trader.publicKey);
      expect(after).to.deep.equal(afterBuy(before, quote));
    }
    await set({ platformFeeBps: 77 });
    const { created } = await launch(cluster());
    expect(decodeRecords(created.transaction)[0]!.data).to.include({ platformFeeBps: 77 });
  });
});

describe('adminSetProperties, the first call', () => {
  for (const [there, lamports] of [
    ['nothing', () => 0n],
    ['more than the rent', (rent: bigint) => rent + 1_234_567n],
  ] as const) {
    describe(`Given ${there} at the address`, () => {
      const cluster = useCluster({ properties: false });

      if (there === 'nothing')
        it('a wrong value and another signer create nothing, and nobody can create a token or buy', async () => {
          const { admin, feeReceiver, payer } = cluster();
          for (const args of [...REFUSED, { bump: PROPERTIES_BUMP - 1 }])
            await expectRefused(cluster(), [rawAdminSetProperties({ args })], [admin], LOGICAL);
          const stranger = await cluster().fundedWallet();
          for (const wallet of [stranger, feeReceiver]) {
            const accounts = { adminAccount: wallet.publicKey };
            const instruction = rawAdminSetProperties({ accounts });
            await expectRefused(cluster(), [instruction], [wallet], '2012 ConstraintAddress');
          }
          const buying = rawBuyToken(Keypair.generate().publicKey, payer.publicKey);
          await expectRefused(cluster(), [buying], [], '3012 AccountNotInitialized');
          const mint = Keypair.generate();
          const creating = [
            blankMint(payer.publicKey, mint.publicKey),
            rawCreateToken(mint.publicKey, payer.publicKey),
          ];
          await expectRefused(cluster(), creating, [mint], '3012 AccountNotInitialized');
        });

      it('when the admin signs, then only the admin pays what is missing of the rent', async () => {
        const { connection, admin, payer, programId } = cluster();
        const rent = await rentOf(connection, PROPERTIES_SIZE);
        const given = lamports(rent);
        if (given > 0n) await cluster().fund(PROPERTIES_ADDRESS, given);
        const held = await lamportsOf(connection, admin.publicKey);
        if (given < rent) {
          // Another wallet pays the transaction: the admin's account is then not writable.
          const escalated = 'Curve PrivilegeEscalation';
          const error = await expectRefused(cluster(), [rawAdminSetProperties()], [admin], escalated);
          expect(error.instruction).to.deep.equal({ index: 0, name: 'adminSetProperties' });
        }
        const signers = given < rent ? [admin] : [payer, admin];
        const { fee } = await cluster().send([rawAdminSetProperties()], signers);
        const account = (await connection.getAccountInfo(PROPERTIES_ADDRESS))!;
        const data = encodeProperties({ initialized: 1, bump: PROPERTIES_BUMP, ...DEFAULT_PROPERTIES });
        expect(account.data).to.deep.equal(Buffer.from(data));
        expect(account.owner.equals(programId)).to.equal(true);
        expect(BigInt(account.lamports)).to.equal(given > rent ? given : rent);
        const paid = given < rent ? rent - given + fee : 0n;
        expect(await lamportsOf(connection, admin.publicKey)).to.equal(held - paid);
        await launch(cluster());
      });
    });
  }
});
