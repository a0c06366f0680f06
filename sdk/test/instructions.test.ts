// threat: uninitialised-mint
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
} from '@solana/spl-token';
import { Keypair, SystemInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '../src/accounts/addresses.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import {
  decodeAdminSetPropertiesArgs,
  decodeBuyTokenArgs,
  decodeCreateTokenArgs,
  decodeMigrateArgs,
  decodeSellTokenArgs,
} from '../src/generated/instructions.js';
import { TOKEN_PROGRAM_ADDRESS } from '../src/generated/program.js';
import { adminSetProperties, buy, createToken, migrate, sell } from '../src/instructions/index.js';
import { MINT_ACCOUNT_SIZE } from '../src/instructions/token.js';
import {
  mint,
  payer,
  userTokenAccount,
  METADATA,
  MINT_RENT,
  SHARES,
  TERMS,
  BUY,
  SELL,
  named,
  only,
  curve,
  vault,
  metadata,
  communityWsolStorage,
  communityTokenStorage,
  feeReceiver,
  properties,
  logAuthority,
  programId,
  dexOwner,
  admin,
} from './instruction-params.js';

describe('createToken', () => {
  it('creates the mint account, then the token', () => {
    const [account, create, ...rest] = createToken(TERMS);
    expect(rest).to.deep.equal([]);
    expect(SystemInstruction.decodeCreateAccount(account!)).to.deep.equal({
      fromPubkey: payer,
      newAccountPubkey: mint,
      lamports: Number(MINT_RENT),
      space: MINT_ACCOUNT_SIZE,
      programId: TOKEN_PROGRAM_ADDRESS,
    });
    expect(named('createToken', create!)).to.include({
      propertiesAccount: properties.address.toBase58(),
      payerAccount: payer.toBase58(),
      tokenMint: mint.toBase58(),
      tokenOwnerPda: curve.address.toBase58(),
      tokenOwnerTokenAccount: vault.address.toBase58(),
      tokenMetadata: metadata.address.toBase58(),
      afterMigrationCommunityContributionWsolStorage: communityWsolStorage.address.toBase58(),
      afterMigrationCommunityContributionTokenStorage: communityTokenStorage.address.toBase58(),
      dexOwner: dexOwner.toBase58(),
      programAccount: programId.toBase58(),
      logAuthorityAccount: logAuthority.address.toBase58(),
    });
    expect(decodeCreateTokenArgs(create!.data)).to.deep.equal({
      ...METADATA,
      ...SHARES,
      pdaTokenNonce: curve.bump,
      loggingAccountBump: logAuthority.bump,
    });
  });

  it('adds the first buy, token account included', () => {
    const firstBuy = { solToSpend: 5n, minTokenToReceive: 3n };
    const [, , ...rest] = createToken({ ...TERMS, firstBuy });
    expect(rest).to.deep.equal(buy({ mint, payer, ...firstBuy }));
  });

  it('funds, allocates and assigns a mint address that already holds lamports', () => {
    const [transfer, allocate, assign, create] = createToken({ ...TERMS, mintLamports: 1_000_000n });
    expect(SystemInstruction.decodeTransfer(transfer!)).to.deep.equal({
      fromPubkey: payer,
      toPubkey: mint,
      lamports: MINT_RENT - 1_000_000n,
    });
    expect(SystemInstruction.decodeAllocate(allocate!)).to.deep.equal({
      accountPubkey: mint,
      space: MINT_ACCOUNT_SIZE,
    });
    expect(SystemInstruction.decodeAssign(assign!)).to.deep.equal({
      accountPubkey: mint,
      programId: TOKEN_PROGRAM_ADDRESS,
    });
    expect(create).to.deep.equal(createToken(TERMS)[1]);
    expect(createToken({ ...TERMS, mintLamports: MINT_RENT })).to.deep.equal([allocate, assign, create]);
  });

  it('accepts another rent', () => {
    const [account] = createToken({ ...TERMS, mintRentLamports: 42n });
    expect(SystemInstruction.decodeCreateAccount(account!).lamports).to.equal(42);
  });

  it('accepts the longest texts: 32, 10 and 200 bytes, not characters', () => {
    const longest = { ...TERMS, name: '🌊'.repeat(8), symbol: 'é'.repeat(5), uri: 'u'.repeat(200) };
    expect(decodeCreateTokenArgs(createToken(longest)[1]!.data)).to.include({
      name: longest.name,
      symbol: longest.symbol,
      uri: longest.uri,
    });
  });
});

describe('buy', () => {
  it('creates the token account if missing, then buys', () => {
    const [create, trade, ...rest] = buy({ ...BUY, minTokenToReceive: 7n });
    expect(rest).to.deep.equal([]);
    expect(create).to.deep.equal(
      createAssociatedTokenAccountIdempotentInstruction(payer, userTokenAccount, payer, mint),
    );
    expect(named('buyToken', trade!)).to.include({
      payerAccount: payer.toBase58(),
      tokenOwnerPda: curve.address.toBase58(),
      tokenMint: mint.toBase58(),
      ownerTokenAccount: vault.address.toBase58(),
      userTokenAccount: userTokenAccount.toBase58(),
      feeAccount: feeReceiver.toBase58(),
      propertiesAccount: properties.address.toBase58(),
      programAccount: programId.toBase58(),
      logAuthorityAccount: logAuthority.address.toBase58(),
    });
    expect(decodeBuyTokenArgs(trade!.data)).to.deep.equal({
      pdaTokenNonce: curve.bump,
      solToSpend: 10n,
      minTokenToReceive: 7n,
      loggingAccountBump: logAuthority.bump,
    });
  });

  it('creates no account when disabled, or when given a token account', () => {
    const trade = only(buy({ ...BUY, createTokenAccount: false }));
    expect(trade).to.deep.equal(buy(BUY)[1]);
    const other = Keypair.generate().publicKey;
    const elsewhere = only(buy({ ...BUY, userTokenAccount: other }));
    expect(named('buyToken', elsewhere)).to.include({ userTokenAccount: other.toBase58() });
  });
});

describe('sell', () => {
  it('sells', () => {
    const trade = only(sell({ ...SELL, minSolToReceive: 7n }));
    expect(named('sellToken', trade)).to.include({
      payerAccount: payer.toBase58(),
      tokenOwnerPda: curve.address.toBase58(),
      tokenMint: mint.toBase58(),
      ownerTokenAccount: vault.address.toBase58(),
      userTokenAccount: userTokenAccount.toBase58(),
      feeAccount: feeReceiver.toBase58(),
      programAccount: programId.toBase58(),
      propertiesAccount: properties.address.toBase58(),
      logAuthorityAccount: logAuthority.address.toBase58(),
    });
    expect(decodeSellTokenArgs(trade.data)).to.deep.equal({
      pdaTokenNonce: curve.bump,
      tokenToSpend: 10n,
      minSolToReceive: 7n,
      loggingAccountBump: logAuthority.bump,
    });
  });

  it('closes the empty token account on request', () => {
    const [trade, close, ...rest] = sell({ ...SELL, closeTokenAccount: true });
    expect(rest).to.deep.equal([]);
    expect(trade).to.deep.equal(sell(SELL)[0]);
    expect(close).to.deep.equal(createCloseAccountInstruction(userTokenAccount, payer, payer));
  });
});

describe('migrate', () => {
  it('creates the fee receiver’s token account if missing, then migrates', () => {
    const feeTokenAccount = associatedTokenAddress(feeReceiver, mint).address;
    const [create, migration, ...rest] = migrate({ mint });
    expect(rest).to.deep.equal([]);
    expect(create).to.deep.equal(
      createAssociatedTokenAccountIdempotentInstruction(feeReceiver, feeTokenAccount, feeReceiver, mint),
    );
    expect(named('migrate', migration!)).to.include({
      tokenMint: mint.toBase58(),
      tokenOwnerPda: curve.address.toBase58(),
      feeAccount: feeReceiver.toBase58(),
      tokenOwnerTokenAccount: vault.address.toBase58(),
      feeTokenAccount: feeTokenAccount.toBase58(),
    });
    expect(decodeMigrateArgs(migration!.data)).to.deep.equal({ pdaTokenNonce: curve.bump });
  });

  it('accepts another token account of the fee receiver', () => {
    const feeTokenAccount = Keypair.generate().publicKey;
    const migration = only(migrate({ mint, feeTokenAccount }));
    expect(named('migrate', migration)).to.include({ feeTokenAccount: feeTokenAccount.toBase58() });
  });
});

/** 280e12 · (2^64 − 1) / 1,073e12. With more, the SOL reserve at graduation would overflow a u64. */
const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;

describe('adminSetProperties', () => {
  const values = {
    initialVirtualSol: 30_000_000_000n,
    initialVirtualToken: 1_073_000_000_000_000n,
    platformFeeBps: 100,
  };

  it('sets the properties, with the admin as signer but not writable', () => {
    const set = only(adminSetProperties(values));
    expect(named('adminSetProperties', set)).to.include({
      adminAccount: admin.toBase58(),
      propertiesAccount: properties.address.toBase58(),
    });
    expect(set.keys[0]).to.include({ isSigner: true, isWritable: false });
    expect(decodeAdminSetPropertiesArgs(set.data)).to.deep.equal({ ...values, bump: properties.bump });
  });

  it('accepts the bounds of every value', () => {
    for (const initialVirtualToken of [10n ** 15n + 1n, 128n * 10n ** 13n - 1n]) {
      adminSetProperties({ ...values, initialVirtualToken });
    }
    adminSetProperties({ ...values, initialVirtualSol: 1n, platformFeeBps: 0 });
    adminSetProperties({ ...values, initialVirtualSol: MOST_VIRTUAL_SOL, platformFeeBps: 1_000 });
  });

  const nonsense: [keyof typeof values, unknown][] = [
    ['initialVirtualSol', 0n],
    ['initialVirtualSol', -1n],
    ['initialVirtualSol', MOST_VIRTUAL_SOL + 1n],
    ['initialVirtualSol', 2n ** 64n],
    ['initialVirtualToken', 10n ** 15n],
    ['initialVirtualToken', 128n * 10n ** 13n],
    ['platformFeeBps', 1_001],
    ['platformFeeBps', -1],
    ['platformFeeBps', 1.5],
    ['platformFeeBps', 100n],
  ];
  for (const [argument, value] of nonsense) {
    it(`refuses ${argument} = ${String(value)} (${typeof value}), and names the argument`, () => {
      expect(() => adminSetProperties({ ...values, [argument]: value }))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
    });
  }
});
