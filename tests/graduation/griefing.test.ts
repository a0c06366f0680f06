// Before a graduation, other wallets can send lamports and tokens to every address, open pools, and close storages.
// The graduation must succeed all the same, with the same transfers. threat: graduate-gifts, inner-calls, earlier-pool, closed-storage, amm-fee
import {
  ACCOUNT_SIZE,
  createCloseAccountInstruction,
  createSyncNativeInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import {
  SystemProgram,
  PublicKey,
  ComputeBudgetProgram,
  TransactionInstruction,
  type AccountMeta,
} from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  createTokenAccountIfMissing,
  GRADUATE_ACCOUNTS,
  migrate,
  NATIVE_MINT_ADDRESS,
  PROGRAM_ADDRESS,
  ATA_PROGRAM_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { lamportsOf, rentOf, snapshot } from '#tests/cluster/accounts.js';
import { CLUSTER } from '#tests/cluster/cluster.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduateRecord,
  graduation,
  holdings,
  launchSoldOut,
  launchTrading,
  MORE_THAN_A_CURVE,
  priceError,
  sendGraduation,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { buyTokens, tokensOf } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { anchorTag } from '#tests/graduation/anchor-tag.js';

// Pools that any wallet creates at the AMM, without the graduation program.

const AMOUNT = 10_000_000n;

function mintsInOrder(mint: PublicKey): [PublicKey, PublicKey] {
  const isFirst = Buffer.compare(mint.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;
  return isFirst ? [mint, NATIVE_MINT_ADDRESS] : [NATIVE_MINT_ADDRESS, mint];
}

/** The address at which any wallet can create a pool of a token and wrapped SOL. */
function canonicalPool(mint: PublicKey): PublicKey {
  const { config } = AMM.addresses(mint, mint);
  const seeds = [Buffer.from('pool'), config.toBuffer(), ...mintsInOrder(mint).map((key) => key.toBuffer())];
  return PublicKey.findProgramAddressSync(seeds, AMM.programId)[0];
}

/** Creates a pool with tokens and SOL of the cluster's own wallet. */
async function openPool(cluster: LocalCluster, pool: PublicKey, mint: PublicKey): Promise<SentTransaction> {
  const { payer } = cluster;
  const creator = payer.publicKey;
  const wrapped = associatedTokenAddress(creator, NATIVE_MINT_ADDRESS).address;
  await cluster.send(
    [
      createTokenAccountIfMissing(creator, creator, NATIVE_MINT_ADDRESS),
      SystemProgram.transfer({ fromPubkey: creator, toPubkey: wrapped, lamports: AMOUNT }),
      createSyncNativeInstruction(wrapped),
    ],
    [payer],
  );
  const accounts = AMM.openingAccounts(AMM.addresses(pool, mint), creator);
  const mints = mintsInOrder(mint);
  const data = Buffer.alloc(32);
  anchorTag('initialize').copy(data);
  data.writeBigUInt64LE(AMOUNT, 8);
  data.writeBigUInt64LE(AMOUNT, 16);
  const meta = (pubkey: PublicKey, isWritable = false, isSigner = false): AccountMeta => ({
    pubkey,
    isWritable,
    isSigner,
  });
  const keys = [
    meta(creator, true, true),
    meta(accounts.ammConfig),
    meta(accounts.ammAuthority),
    meta(pool, true),
    ...mints.map((key) => meta(key)),
    meta(accounts.lpMint, true),
    ...mints.map((key) => meta(associatedTokenAddress(creator, key).address, true)),
    meta(accounts.lpTokens, true),
    meta(accounts.poolVault0, true),
    meta(accounts.poolVault1, true),
    meta(accounts.poolFeeReceiver, true),
    meta(accounts.observation, true),
    ...[TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS].map((key) => meta(key)),
    meta(ATA_PROGRAM_ADDRESS),
    meta(SystemProgram.programId),
    meta(RENT_SYSVAR_ADDRESS),
  ];
  const initialize = new TransactionInstruction({ programId: AMM.programId, keys, data });
  return cluster.send([ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }), initialize], [payer]);
}

const AMM_NOT_APPROVED = `${AMM.programId.toBase58()} 6000`;
const CONFIG_DISABLED = 9;
const CONFIG_POOL_FEE = 36;

describeOnAmms('graduate after interference by other wallets', (cluster) => {
  /** The accounts that a graduation creates. */
  const opened = (token: GraduatingToken): PublicKey[] => {
    const [, call] = graduation(cluster(), token, cluster().payer.publicKey);
    const at = (name: keyof typeof GRADUATE_ACCOUNTS): PublicKey =>
      call!.keys[GRADUATE_ACCOUNTS[name]]!.pubkey;
    return [
      at('poolCreator'),
      at('tokens'),
      at('wrappedSol'),
      at('pool'),
      at('lpMint'),
      at('lpTokens'),
      at('poolVault0'),
      at('poolVault1'),
      at('observation'),
    ];
  };

  it('Given lamports at every address, when the curve graduates, then the fee receiver gets them and nothing else changes', async () => {
    const token = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    const plain = graduateRecord(
      await sendGraduation(cluster(), await launchSoldOut(cluster(), { afterMigrationFee: 100 })),
      cluster(),
    );
    const addresses = opened(token);
    const gifts = addresses.map((_, index) => 900_000n + BigInt(index));
    for (const [index, address] of addresses.entries()) await cluster().fund(address, gifts[index]!);
    const { connection, deployment } = cluster();
    const { address: feeReceiver } = deployment.graduation.feeReceiver;
    const fees = await lamportsOf(connection, feeReceiver);
    const record = graduateRecord(await sendGraduation(cluster(), token), cluster());
    const after = await holdings(cluster(), token);
    const { mint, pool, timestamp } = record;
    expect(record).to.deep.equal({ ...plain, mint, pool, timestamp });
    expect(after.feeReceiver - fees).to.equal(gifts.reduce((sum, gift) => sum + gift));
    expect(after.poolCreator).to.equal(0n);
    expect([after.poolSol, after.poolTokens]).to.deep.equal([record.poolSol, record.poolToken]);
  });

  it('Given lamports at every address, when the curve graduates, then its transaction is within the runtime’s 64 instructions', async () => {
    const instructionsOf = async (token: GraduatingToken): Promise<number> => {
      const { transaction } = await sendGraduation(cluster(), token);
      const inner = transaction.meta?.innerInstructions ?? [];
      return inner.reduce((sum, { instructions }) => sum + instructions.length, 0);
    };
    const plain = await instructionsOf(await launchSoldOut(cluster(), { afterMigrationFee: 100 }));
    const token = await launchSoldOut(cluster(), { afterMigrationFee: 100 });
    for (const address of opened(token)) await cluster().fund(address, 900_000n);
    const griefed = await instructionsOf(token);
    expect([plain, griefed]).to.deep.equal([38, 55]);
  });

  it('Given 100 SOL sent to the temporary wrapped SOL account, when the curve graduates, then the pool’s price is still right', async () => {
    const token = await launchSoldOut(cluster());
    const [, , wrappedSol] = opened(token);
    await cluster().fund(wrappedSol!, 100n * SOL);
    const before = await holdings(cluster(), token);
    await sendGraduation(cluster(), token);
    const after = await holdings(cluster(), token);
    expect(after.feeReceiver - before.feeReceiver).to.equal(100n * SOL);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });

  it('Given more lamports than the rent at the pool’s SOL vault, when the curve graduates, then the pool keeps the excess', async () => {
    const token = await launchSoldOut(cluster());
    await cluster().fund(token.pool.vaults.sol, (await rentOf(cluster().connection, ACCOUNT_SIZE)) + 1n);
    const record = graduateRecord(await sendGraduation(cluster(), token), cluster());
    const { connection } = cluster();
    expect(await tokensOf(connection, token.pool.vaults.sol)).to.equal(record.poolSol + 1n);
    expect(await tokensOf(connection, token.pool.vaults.token)).to.equal(record.poolToken);
  });

  it('Given tokens and wrapped SOL in other accounts of the PDAs involved, when the curve graduates, then they stay there', async () => {
    const token = await launchSoldOut(cluster());
    const { payer, deployment } = cluster();
    const { feeReceiver, poolCreator } = deployment.graduation;
    const source = associatedTokenAddress(payer.publicKey, token.mint).address;
    const strays: PublicKey[] = [];
    for (const owner of [feeReceiver.address, poolCreator.address, token.pool.pool, token.pool.authority]) {
      const own = associatedTokenAddress(owner, token.mint).address;
      const wrapped = associatedTokenAddress(owner, NATIVE_MINT_ADDRESS).address;
      await cluster().send(
        [
          createTokenAccountIfMissing(payer.publicKey, owner, token.mint),
          createTokenAccountIfMissing(payer.publicKey, owner, NATIVE_MINT_ADDRESS),
          createTransferInstruction(source, own, payer.publicKey, 1_234_567n),
          SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: wrapped, lamports: 7_654_321 }),
          createSyncNativeInstruction(wrapped),
        ],
        [payer],
      );
      strays.push(own, wrapped);
    }
    const before = await snapshot(cluster().connection, strays);
    await sendGraduation(cluster(), token);
    expect(await snapshot(cluster().connection, strays)).to.deep.equal(before);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });

  it('Given SOL and tokens sent to the curve, when it graduates, then they go to the pool and the community', async () => {
    const token = await launchSoldOut(cluster(), { afterMigrationFee: 500 });
    const { payer } = cluster();
    const source = associatedTokenAddress(payer.publicKey, token.mint).address;
    const gift = createTransferInstruction(source, token.vault.address, payer.publicKey, 50_000_000_000_001n);
    await cluster().send([gift], [payer]);
    await cluster().fund(token.curve.address, 3n * SOL + 1n);
    const before = await holdings(cluster(), token);
    const record = graduateRecord(await sendGraduation(cluster(), token), cluster());
    const after = await holdings(cluster(), token);
    expect(record.communitySol).to.equal(((before.curveSol - after.curveSol) * 500n) / 10_000n);
    expect(record.poolToken + record.communityToken + record.burnt).to.equal(before.vaultTokens);
    expect(after.feeReceiver).to.equal(before.feeReceiver);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });

  it('Given a pool of the same mints at the AMM’s canonical address, when the curve graduates, then it opens its own pool', async () => {
    const token = await launchTrading(cluster());
    await buyTokens(cluster(), token, cluster().payer, SOL);
    const squatted = canonicalPool(token.mint);
    await openPool(cluster(), squatted, token.mint);
    await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
    await sendGraduation(cluster(), token);
    expect(squatted.equals(token.pool.pool)).to.equal(false);
    expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
  });

  it('Given our pool’s address, when another wallet opens a pool there, then the AMM refuses', async () => {
    const token = await launchTrading(cluster());
    await buyTokens(cluster(), token, cluster().payer, SOL);
    const sending = openPool(cluster(), token.pool.pool, token.mint);
    await sending.then(
      () => expect.fail('the pool was opened'),
      () => undefined,
    );
    expect(await cluster().connection.getAccountInfo(token.pool.pool)).to.equal(null);
  });

  it('Given storages closed by the DEX owner, when the curve graduates, then both shares stay in the pool', async () => {
    const { dexOwner } = cluster();
    for (const closed of [
      ['communityWsolStorage'],
      ['communityTokenStorage'],
      ['communityWsolStorage', 'communityTokenStorage'],
    ] as const) {
      const token = await launchSoldOut(cluster(), { afterMigrationFee: 500 });
      const { publicKey } = dexOwner;
      const close = closed.map((name) =>
        createCloseAccountInstruction(token[name].address, publicKey, publicKey),
      );
      await cluster().send(close, [dexOwner]);
      const before = await holdings(cluster(), token);
      const record = graduateRecord(await sendGraduation(cluster(), token), cluster());
      const { curveSol, poolSol, poolTokens } = await holdings(cluster(), token);
      expect([record.communitySol, record.communityToken]).to.deep.equal([0n, 0n]);
      expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
      expect(record.poolSol + record.communitySol + record.costs).to.equal(before.curveSol - curveSol);
      expect(record.poolToken + record.communityToken + record.burnt).to.equal(before.vaultTokens);
      expect([poolSol, poolTokens]).to.deep.equal([record.poolSol, record.poolToken]);
    }
  });

  it('Given a curve of the graduation program, when the owner of another fee receiver migrates it, then it is refused', async () => {
    const token = await launchSoldOut(cluster());
    const { feeReceiver, deployment } = cluster();
    const deceived = { ...deployment, feeReceiver: feeReceiver.publicKey };
    await expectRefused(
      cluster(),
      migrate({ mint: token.mint, deployment: deceived }),
      [feeReceiver],
      '6004 WrongFeeReceiver',
    );
  });

  // On a real cluster only Raydium's admin can change this configuration. Surfpool can write the account.
  if (CLUSTER === 'surfpool') {
    const withConfig = async (change: (data: Buffer) => void, run: () => Promise<void>): Promise<void> => {
      const [, call] = graduation(cluster(), { mint: PROGRAM_ADDRESS }, cluster().payer.publicKey);
      const config = call!.keys[GRADUATE_ACCOUNTS.ammConfig]!.pubkey;
      const { data } = (await cluster().connection.getAccountInfo(config))!;
      const changed = Buffer.from(data);
      change(changed);
      await cluster().setAccount(config, { data: changed });
      try {
        await run();
      } finally {
        await cluster().setAccount(config, { data });
      }
    };

    it('Given a pool creation fee above what a migration pays, when the curve graduates, then it is refused until somebody gives the rest', async () => {
      const token = await launchSoldOut(cluster());
      const { payer } = cluster();
      await withConfig(
        (data) => data.writeBigUInt64LE(300_000_001n, CONFIG_POOL_FEE),
        async () => {
          await expectRefused(
            cluster(),
            graduation(cluster(), token, payer.publicKey),
            [],
            '6002 PoolFeeTooHigh',
          );
          const given = await launchSoldOut(cluster());
          const before = await holdings(cluster(), given);
          const { address } = cluster().deployment.graduation.poolCreator;
          const rest = SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: address,
            lamports: 1,
          });
          await cluster().send([rest, ...graduation(cluster(), given, payer.publicKey)], [payer]);
          const after = await holdings(cluster(), given);
          expect([after.feeReceiver, after.poolCreator]).to.deep.equal([before.feeReceiver, 0n]);
          expect(Math.abs(await priceError(cluster(), given))).to.be.lessThan(1e-9);
        },
      );
      await withConfig(
        (data) => data.writeBigUInt64LE(300_000_000n, CONFIG_POOL_FEE),
        async () => {
          const before = await holdings(cluster(), token);
          const record = graduateRecord(await sendGraduation(cluster(), token), cluster());
          expect(record.costs > 300_000_000n).to.equal(true);
          expect((await holdings(cluster(), token)).feeReceiver).to.equal(before.feeReceiver);
        },
      );
      expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(1e-9);
    });

    it('Given an AMM that refuses new pools, when the curve graduates, then it is refused until the AMM allows them', async () => {
      const token = await launchSoldOut(cluster());
      const { payer } = cluster();
      await withConfig(
        (data) => data.writeUInt8(1, CONFIG_DISABLED),
        async () => {
          await expectRefused(cluster(), graduation(cluster(), token, payer.publicKey), [], AMM_NOT_APPROVED);
        },
      );
      await sendGraduation(cluster(), token);
    });
  }
});
