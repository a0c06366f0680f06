// Replaces each account of every instruction with a wrong one, removes its flags, and tries combinations that an
// attacker would try. The program must refuse each, and nothing may move. The tables in support/program/substitutes/
// name the account, its substitute and the refusal. threat: foreign-curve, account-of-another-kind, cheaper-properties
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  KEY_HELD_DEPLOYMENT,
  curveAddress,
  type BuyTokenAccounts,
  type MigrateAccounts,
  type SellTokenAccounts,
} from '@curvekit/sdk';
import { withAccount } from '#tests/program/altered.js';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { forgeAccounts, setScene, type ForgedAccounts, type Scene } from '#tests/program/scene.js';
import { adminSetProperties } from '#tests/program/substitutes/admin-set-properties.js';
import { buyToken } from '#tests/program/substitutes/buy-token.js';
import { createToken } from '#tests/program/substitutes/create-token.js';
import { migrate } from '#tests/program/substitutes/migrate.js';
import { sellToken } from '#tests/program/substitutes/sell-token.js';
import { COPY, type Subject, type WrongAccount } from '#tests/program/substitutes/shared.js';
import { validateLogRecord } from '#tests/program/substitutes/validate-log-record.js';
import { openTokenAccount } from '#tests/program/tokens.js';
import { ADDRESS, MATCH, PROGRAM_OWNER, NOTHING_THERE, OTHER_MINT } from '#tests/program/refusals.js';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';

// Combinations of wrong accounts that an attacker would try, and the program's refusals. threat: foreign-curve, curve-at-another-nonce

const account = (owner: PublicKey, mint: PublicKey) => associatedTokenAddress(owner, mint).address;

interface Together<Accounts> {
  readonly what: string;
  readonly accounts: (scene: Scene, feeReceiver: PublicKey) => Partial<Accounts>;
  /** The nonce of another curve than the mint's. */
  readonly nonce?: (scene: Scene) => number;
  readonly refusal: string;
}

const ofOther = (scene: Scene) => curveAddress(scene.other.mint).bump;

const TRADES: readonly Together<BuyTokenAccounts & SellTokenAccounts>[] = [
  {
    what: "another token's curve with its nonce",
    accounts: (scene) => ({ tokenOwnerPda: scene.other.curve.address }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: "another token's curve and vault with their nonce",
    accounts: (scene) => ({
      tokenOwnerPda: scene.other.curve.address,
      ownerTokenAccount: scene.other.vault.address,
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: "another token's mint, curve and vault with their nonce, but the trader's account of the right token",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      tokenOwnerPda: scene.other.curve.address,
      ownerTokenAccount: scene.other.vault.address,
    }),
    nonce: ofOther,
    refusal: OTHER_MINT,
  },
  {
    what: "another token's mint and account of the trader",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  {
    what: "another token's mint, vault and account of the trader",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.other.vault.address,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  // Only the mint and the curve do not match: an attacker would sell cheap tokens at the price of expensive ones.
  {
    what: "another token's mint, the curve's own account of it, and the trader's",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.foreignVault,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  {
    what: "another token's mint, the curve's own account of it, and the trader's, with the other curve's nonce",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.foreignVault,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: 'the address with a non-canonical nonce, with that nonce',
    accounts: (scene) => ({ tokenOwnerPda: nonCanonicalCurve(scene.token.mint).address }),
    nonce: (scene) => nonCanonicalCurve(scene.token.mint).bump,
    refusal: NOTHING_THERE,
  },
];

const MIGRATIONS: readonly Together<MigrateAccounts>[] = [
  {
    what: "another graduated token's curve and vault with their nonce",
    accounts: (scene) => ({
      tokenOwnerPda: scene.otherGraduated.curve.address,
      tokenOwnerTokenAccount: scene.otherGraduated.vault.address,
    }),
    nonce: (scene) => scene.otherGraduated.curve.bump,
    refusal: MATCH,
  },
  {
    what: "a trading token's mint, vault and account of the fee receiver with a graduated curve",
    accounts: (scene, feeReceiver) => ({
      tokenMint: scene.other.mint,
      tokenOwnerTokenAccount: scene.other.vault.address,
      feeTokenAccount: account(feeReceiver, scene.other.mint),
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: 'the address with a non-canonical nonce, with that nonce',
    accounts: (scene) => ({ tokenOwnerPda: nonCanonicalCurve(scene.graduated.mint).address }),
    nonce: (scene) => nonCanonicalCurve(scene.graduated.mint).bump,
    refusal: NOTHING_THERE,
  },
];

/** A test with its title. */
type NamedTest = readonly [title: string, run: () => Promise<unknown>];

/**
 * Declares tests that all start before the first one and run concurrently, for tests that change nothing. Where a
 * transaction
 * takes half a second, this turns minutes into seconds.
 */
function concurrentTests(tests: readonly NamedTest[]): void {
  let outcomes: readonly Promise<unknown>[] = [];
  before('start all of them', () => {
    outcomes = tests.map(([, run]) => run());
    // Each failure belongs to its own test, which may come much later.
    for (const outcome of outcomes) outcome.catch(() => undefined);
  });
  for (const [index, [title]] of tests.entries()) it(title, () => outcomes[index]!);
}

const { rawBuyToken, rawMigrate, rawSellToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

describe('substituted accounts', () => {
  const cluster = useCluster({
    graduation: false,
    programs: [{ programId: COPY, so: 'artifacts/bonding_curve_key_held.so' }],
  });
  let scene: Scene;

  before(async () => {
    scene = await setScene(cluster());
  });

  /** Sends an instruction with all required signatures, and expects the refusal with nothing moved. */
  async function expectInstructionRefused(
    instruction: TransactionInstruction,
    expected: string,
    name?: string,
  ): Promise<void> {
    const { admin, feeReceiver } = cluster();
    const { trader, stranger, pauper } = scene;
    const mustSign = ({ publicKey }: Keypair): boolean =>
      instruction.keys.some(({ pubkey, isSigner }) => isSigner && pubkey.equals(publicKey));
    const signers = [trader, stranger, pauper, admin, feeReceiver].filter(mustSign);
    const error = await expectRefused(cluster(), [instruction], signers, expected);
    if (name !== undefined) expect(error.instruction).to.deep.equal({ index: 0, name });
  }

  /** The tests of one instruction: its table, then the flags of its accounts. */
  function describeSubstitutions<Accounts>({ name, build, substitutes }: Subject<Accounts>): void {
    const rows = Object.entries<readonly WrongAccount[]>(substitutes).flatMap(([account, wrongs]) =>
      wrongs.map(([what, wrong, refusal]): NamedTest => [
        `refuses ${what} as ${account}: ${refusal}`,
        () => {
          const accounts = { [account]: wrong(scene) } as Partial<Record<keyof Accounts, PublicKey>>;
          return expectInstructionRefused(build(scene, accounts as Partial<Accounts>), refusal, name);
        },
      ]),
    );

    /** Removes the flag from each account that has it, one at a time. */
    const withoutFlag = (flag: 'isSigner' | 'isWritable', refusal: string) => {
      const right = build(scene, {});
      const flagged = [...right.keys.entries()].filter(([, meta]) => meta[flag]);
      expect(flagged).not.to.have.lengthOf(0);
      const altered = flagged.map(([index]) => withAccount(right, index, { [flag]: false }));
      return Promise.all(altered.map((wrong) => expectInstructionRefused(wrong, refusal, name)));
    };
    const writable: NamedTest = [
      'refuses every account that must be writable and is not: 2000 ConstraintMut',
      () => withoutFlag('isWritable', '2000 ConstraintMut'),
    ];

    describe(name, () => {
      concurrentTests([
        ...rows,
        [
          'refuses every account that must sign and does not: 3010 AccountNotSigner',
          () => withoutFlag('isSigner', '3010 AccountNotSigner'),
        ],
        // The one account of validateLogRecord is not writable.
        ...(name === 'validateLogRecord' ? [] : [writable]),
      ]);
    });
  }

  describeSubstitutions(createToken);
  describeSubstitutions(buyToken);
  describeSubstitutions(sellToken);
  describeSubstitutions(migrate);
  describeSubstitutions(validateLogRecord);
  describeSubstitutions(adminSetProperties);

  describe('several substitutions at once', () => {
    const changes = <Accounts>({ accounts, nonce }: Together<Accounts>) => ({
      accounts: accounts(scene, cluster().feeReceiver.publicKey),
      args: nonce === undefined ? {} : { pdaTokenNonce: nonce(scene) },
    });

    concurrentTests(
      TRADES.flatMap((together): NamedTest[] => [
        [
          `buyToken refuses ${together.what}: ${together.refusal}`,
          () => {
            const { token, trader } = scene;
            const instruction = rawBuyToken(token.mint, trader.publicKey, changes(together));
            return expectInstructionRefused(instruction, together.refusal, 'buyToken');
          },
        ],
        [
          `sellToken refuses ${together.what}: ${together.refusal}`,
          () => {
            const { token, trader } = scene;
            const instruction = rawSellToken(token.mint, trader.publicKey, changes(together));
            return expectInstructionRefused(instruction, together.refusal, 'sellToken');
          },
        ],
      ]),
    );

    concurrentTests(
      MIGRATIONS.map((together): NamedTest => [
        `migrate refuses ${together.what}: ${together.refusal}`,
        () => {
          const instruction = rawMigrate(scene.graduated.mint, changes(together));
          return expectInstructionRefused(instruction, together.refusal, 'migrate');
        },
      ]),
    );

    it('migrate refuses another mint with token accounts of the curve and the fee receiver for it: 6000', async () => {
      const { graduated, otherGraduated } = scene;
      const ours = await openTokenAccount(cluster(), graduated.curve.address, otherGraduated.mint);
      const accounts = {
        tokenMint: otherGraduated.mint,
        tokenOwnerTokenAccount: ours,
        feeTokenAccount: associatedTokenAddress(cluster().feeReceiver.publicKey, otherGraduated.mint).address,
      };
      for (const pdaTokenNonce of [graduated.curve.bump, otherGraduated.curve.bump]) {
        const instruction = rawMigrate(graduated.mint, { accounts, args: { pdaTokenNonce } });
        await expectInstructionRefused(instruction, MATCH, 'migrate');
      }
    });
  });

  describe('the program itself', () => {
    const subjects = [createToken, buyToken, sellToken, migrate, adminSetProperties] as const;
    concurrentTests(
      subjects.map(({ name, build }): NamedTest => [
        `refuses ${name} in a copy at another address: 4100 DeclaredProgramIdMismatch`,
        () => {
          const instruction = build(scene, {});
          instruction.programId = COPY;
          return expectInstructionRefused(instruction, `${COPY.toBase58()} 4100`);
        },
      ]),
    );
  });

  // Accounts with the right owner and bytes, at addresses that the program never writes to.
  if (CLUSTER === 'surfpool') {
    describe('forged accounts', () => {
      let forged: ForgedAccounts;

      before(async () => {
        forged = await forgeAccounts(cluster(), scene);
      });

      const FORGERIES: readonly (readonly [
        subject: { name: string; build: (scene: Scene, accounts: object) => TransactionInstruction },
        account: string,
        what: keyof ForgedAccounts,
        refusal: string,
      ])[] = [
        [createToken, 'propertiesAccount', 'properties', ADDRESS],
        [buyToken, 'propertiesAccount', 'properties', ADDRESS],
        [buyToken, 'tokenOwnerPda', 'curve', MATCH],
        [buyToken, 'ownerTokenAccount', 'tokenAccount', PROGRAM_OWNER],
        [buyToken, 'userTokenAccount', 'tokenAccount', PROGRAM_OWNER],
        [sellToken, 'propertiesAccount', 'properties', ADDRESS],
        [sellToken, 'tokenOwnerPda', 'curve', MATCH],
        [sellToken, 'ownerTokenAccount', 'tokenAccount', MATCH],
        [sellToken, 'userTokenAccount', 'tokenAccount', PROGRAM_OWNER],
        [migrate, 'tokenOwnerPda', 'curve', MATCH],
        [migrate, 'tokenOwnerTokenAccount', 'tokenAccount', MATCH],
        [migrate, 'feeTokenAccount', 'tokenAccount', PROGRAM_OWNER],
        [adminSetProperties, 'propertiesAccount', 'properties', ADDRESS],
      ];

      concurrentTests(
        FORGERIES.map(([{ name, build }, account, what, refusal]): NamedTest => [
          `${name} refuses forged ${what} as ${account}: ${refusal}`,
          () => expectInstructionRefused(build(scene, { [account]: forged[what] }), refusal, name),
        ]),
      );
    });
  }
});
