import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
} from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, curveAddress, tokenAddresses } from '../src/addresses.js';
import { createDeployment, DEFAULT_DEPLOYMENT } from '../src/deployment.js';
import { InvalidArgumentError } from '../src/errors.js';
import {
  decodeAdminSetPropertiesArgs,
  decodeBuyTokenArgs,
  decodeCreateTokenArgs,
  decodeMigrateArgs,
  decodeSellTokenArgs,
} from '../src/generated/instructions.js';
import { TOKEN_PROGRAM_ADDRESS } from '../src/generated/program.js';
import { IDL } from '../src/idl.js';
import { adminSetProperties, buy, createToken, migrate, sell } from '../src/instructions.js';
import { MINT_ACCOUNT_RENT, MINT_ACCOUNT_SIZE } from '../src/token-instructions.js';

const mint = Keypair.generate().publicKey;
const payer = Keypair.generate().publicKey;
const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint);
const userTokenAccount = associatedTokenAddress(payer, mint).address;
const { feeReceiver, properties, logAuthority, programId, dexOwner, admin } = DEFAULT_DEPLOYMENT;

const METADATA = { name: 'Curve', symbol: 'CRV', uri: 'https://example.org/curve.json' };
const SHARES = {
  afterMigrationFee: 100,
  afterMigrationBurnBp: 5_000,
  afterMigrationHoldersBp: 3_000,
  afterMigrationLpBp: 2_000,
};
const TERMS = { mint, payer, ...METADATA, ...SHARES };
const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 0n };
const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 0n };

/** Keys of an instruction by the names that the IDL gives them; fixed addresses must be the IDL's. */
function named(name: string, instruction: TransactionInstruction): Record<string, string> {
  const accounts = IDL.instructions.find((item) => item.name === name)!.accounts;
  expect(instruction.keys).to.have.lengthOf(accounts.length);
  const entries = accounts.map((account, index) => {
    const key = instruction.keys[index]!.pubkey.toBase58();
    if ('address' in account) expect(key, account.name).to.equal(account.address);
    return [account.name, key] as const;
  });
  return Object.fromEntries(entries);
}

function only(instructions: TransactionInstruction[]): TransactionInstruction {
  expect(instructions).to.have.lengthOf(1);
  return instructions[0]!;
}

describe('createToken', () => {
  it('creates the mint account, then the token', () => {
    const [account, create, ...rest] = createToken(TERMS);
    expect(rest).to.deep.equal([]);
    expect(SystemInstruction.decodeCreateAccount(account!)).to.deep.equal({
      fromPubkey: payer,
      newAccountPubkey: mint,
      lamports: Number(MINT_ACCOUNT_RENT),
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

  it('tops up, allocates and assigns a mint address that holds lamports already', () => {
    const [transfer, allocate, assign, create] = createToken({ ...TERMS, mintLamports: 1_000_000n });
    expect(SystemInstruction.decodeTransfer(transfer!)).to.deep.equal({
      fromPubkey: payer,
      toPubkey: mint,
      lamports: MINT_ACCOUNT_RENT - 1_000_000n,
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
    expect(createToken({ ...TERMS, mintLamports: MINT_ACCOUNT_RENT })).to.deep.equal([
      allocate,
      assign,
      create,
    ]);
  });

  it('takes another rent', () => {
    const [account] = createToken({ ...TERMS, mintRentLamports: 42n });
    expect(SystemInstruction.decodeCreateAccount(account!).lamports).to.equal(42);
  });

  it('takes the longest texts: 32, 10 and 200 bytes, not characters', () => {
    const longest = { ...TERMS, name: '🌊'.repeat(8), symbol: 'é'.repeat(5), uri: 'u'.repeat(200) };
    expect(decodeCreateTokenArgs(createToken(longest)[1]!.data)).to.include({
      name: longest.name,
      symbol: longest.symbol,
      uri: longest.uri,
    });
  });
});

describe('buy', () => {
  it('creates the token account where it is missing, then buys', () => {
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

  it('creates nothing when told so, or given a token account', () => {
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

  it('closes the emptied token account when told so', () => {
    const [trade, close, ...rest] = sell({ ...SELL, closeTokenAccount: true });
    expect(rest).to.deep.equal([]);
    expect(trade).to.deep.equal(sell(SELL)[0]);
    expect(close).to.deep.equal(createCloseAccountInstruction(userTokenAccount, payer, payer));
  });
});

describe('migrate', () => {
  it('creates the fee receiver’s token account where it is missing, then migrates', () => {
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

  it('takes another token account of the fee receiver', () => {
    const feeTokenAccount = Keypair.generate().publicKey;
    const migration = only(migrate({ mint, feeTokenAccount }));
    expect(named('migrate', migration)).to.include({ feeTokenAccount: feeTokenAccount.toBase58() });
  });
});

/** 280e12 · (2^64 − 1) / 1,073e12: with more, the reserve at graduation would not fit 64 bits. */
const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;

describe('adminSetProperties', () => {
  const values = {
    initialVirtualSol: 30_000_000_000n,
    initialVirtualToken: 1_073_000_000_000_000n,
    platformFeeBps: 100,
  };

  it('sets them, the admin signing but not writable', () => {
    const set = only(adminSetProperties(values));
    expect(named('adminSetProperties', set)).to.include({
      adminAccount: admin.toBase58(),
      propertiesAccount: properties.address.toBase58(),
    });
    expect(set.keys[0]).to.include({ isSigner: true, isWritable: false });
    expect(decodeAdminSetPropertiesArgs(set.data)).to.deep.equal({ ...values, bump: properties.bump });
  });

  it('takes the bounds of every value', () => {
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
    it(`refuses ${argument} = ${String(value)} (${typeof value}), naming it`, () => {
      expect(() => adminSetProperties({ ...values, [argument]: value }))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
    });
  }
});

describe('builders', () => {
  it('address another deployment throughout', () => {
    const [programKey, adminKey, feeKey, dexKey] = Array.from(
      { length: 4 },
      () => Keypair.generate().publicKey,
    );
    const deployment = createDeployment({
      programId: programKey!,
      admin: adminKey!,
      feeReceiver: feeKey!,
      dexOwner: dexKey!,
    });
    const instructions = [
      ...createToken({ ...TERMS, deployment, firstBuy: { solToSpend: 1n, minTokenToReceive: 0n } }),
      ...sell({ ...SELL, deployment }),
      ...migrate({ mint, deployment }),
      ...adminSetProperties({
        initialVirtualSol: 1n,
        initialVirtualToken: 1_073_000_000_000_000n,
        platformFeeBps: 0,
        deployment,
      }),
    ];
    const keys = instructions.flatMap(({ programId: program, keys: metas }) => [
      program.toBase58(),
      ...metas.map(({ pubkey }) => pubkey.toBase58()),
    ]);
    const defaults = [
      programId,
      admin,
      feeReceiver,
      dexOwner,
      properties.address,
      logAuthority.address,
      curve.address,
    ];
    for (const key of defaults) expect(keys).not.to.include(key.toBase58());
    for (const key of [programKey, adminKey, feeKey, dexKey]) expect(keys).to.include(key!.toBase58());
  });

  it('accept the canonical nonce', () => {
    const pdaTokenNonce = curve.bump;
    expect(buy({ ...BUY, pdaTokenNonce })).to.deep.equal(buy(BUY));
    expect(sell({ ...SELL, pdaTokenNonce })).to.deep.equal(sell(SELL));
    expect(migrate({ mint, pdaTokenNonce })).to.deep.equal(migrate({ mint }));
    expect(createToken({ ...TERMS, pdaTokenNonce })).to.deep.equal(createToken(TERMS));
  });

  const other = otherNonce();
  const text = mint.toBase58() as unknown as PublicKey;
  const none = undefined as unknown as PublicKey;
  const nonsense: [string, string, () => unknown][] = [
    ['the nonce of another mint', 'pdaTokenNonce', () => buy({ ...BUY, pdaTokenNonce: other })],
    ['the nonce of another mint', 'pdaTokenNonce', () => sell({ ...SELL, pdaTokenNonce: other })],
    ['the nonce of another mint', 'pdaTokenNonce', () => migrate({ mint, pdaTokenNonce: other })],
    ['the nonce of another mint', 'pdaTokenNonce', () => createToken({ ...TERMS, pdaTokenNonce: other })],
    ['a mint that is text', 'mint', () => buy({ ...BUY, mint: text })],
    ['no mint', 'mint', () => sell({ ...SELL, mint: none })],
    ['the zero key as mint', 'mint', () => migrate({ mint: SystemProgram.programId })],
    ['no payer', 'payer', () => buy({ ...BUY, payer: none })],
    ['a payer that is text', 'payer', () => sell({ ...SELL, payer: text })],
    ['the zero key as payer', 'payer', () => createToken({ ...TERMS, payer: PublicKey.default })],
    ['a buy of nothing', 'solToSpend', () => buy({ ...BUY, solToSpend: 0n })],
    ['a negative buy', 'solToSpend', () => buy({ ...BUY, solToSpend: -1n })],
    ['a buy above u64', 'solToSpend', () => buy({ ...BUY, solToSpend: 2n ** 64n })],
    ['a buy of a number', 'solToSpend', () => buy({ ...BUY, solToSpend: 1 as unknown as bigint })],
    ['a negative minimum', 'minTokenToReceive', () => buy({ ...BUY, minTokenToReceive: -1n })],
    [
      'no minimum',
      'minTokenToReceive',
      () => buy({ ...BUY, minTokenToReceive: undefined as unknown as bigint }),
    ],
    ['a token account that is text', 'userTokenAccount', () => buy({ ...BUY, userTokenAccount: text })],
    [
      'a given token account to be created',
      'createTokenAccount',
      () => buy({ ...BUY, userTokenAccount: vault.address, createTokenAccount: true }),
    ],
    ['a sell of nothing', 'tokenToSpend', () => sell({ ...SELL, tokenToSpend: 0n })],
    ['a sell above u64', 'tokenToSpend', () => sell({ ...SELL, tokenToSpend: 2n ** 64n })],
    ['a negative minimum', 'minSolToReceive', () => sell({ ...SELL, minSolToReceive: -1n })],
    ['a fee account that is text', 'feeTokenAccount', () => migrate({ mint, feeTokenAccount: text })],
    ['no name', 'name', () => createToken({ ...TERMS, name: '' })],
    ['33 bytes of name', 'name', () => createToken({ ...TERMS, name: 'n'.repeat(33) })],
    ['36 bytes of emoji', 'name', () => createToken({ ...TERMS, name: '🌊'.repeat(9) })],
    ['half an emoji', 'name', () => createToken({ ...TERMS, name: '🌊'.slice(0, 1) })],
    ['a name that is a number', 'name', () => createToken({ ...TERMS, name: 5 as unknown as string })],
    ['11 bytes of symbol', 'symbol', () => createToken({ ...TERMS, symbol: 's'.repeat(11) })],
    ['201 bytes of uri', 'uri', () => createToken({ ...TERMS, uri: 'u'.repeat(201) })],
    ['a fee outside the set', 'afterMigrationFee', () => createToken({ ...TERMS, afterMigrationFee: 99 })],
    ['a negative share', 'afterMigrationBurnBp', () => createToken({ ...TERMS, afterMigrationBurnBp: -1 })],
    [
      'a share above a whole',
      'afterMigrationHoldersBp',
      () => createToken({ ...TERMS, afterMigrationHoldersBp: 10_001 }),
    ],
    [
      'shares above a whole together',
      'afterMigrationLpBp',
      () => createToken({ ...TERMS, afterMigrationLpBp: 2_001 }),
    ],
    ['a first buy of nothing', 'firstBuy.solToSpend', () => first(0n, 0n)],
    ['a first buy with a negative minimum', 'firstBuy.minTokenToReceive', () => first(1n, -1n)],
    ['negative lamports of the mint', 'mintLamports', () => createToken({ ...TERMS, mintLamports: -1n })],
    ['no rent', 'mintRentLamports', () => createToken({ ...TERMS, mintRentLamports: 0n })],
    ['a rent beyond 2^53', 'mintRentLamports', () => createToken({ ...TERMS, mintRentLamports: 2n ** 53n })],
  ];
  for (const [what, argument, build] of nonsense) {
    it(`refuse ${what}, naming ${argument}`, () => {
      expect(build).to.throw(InvalidArgumentError).with.property('argument', argument);
    });
  }

  function first(solToSpend: bigint, minTokenToReceive: bigint): unknown {
    return createToken({ ...TERMS, firstBuy: { solToSpend, minTokenToReceive } });
  }
});

/** The canonical bump of some other mint, where it differs from this one's. */
function otherNonce(): number {
  for (;;) {
    const { bump } = curveAddress(Keypair.generate().publicKey);
    if (bump !== curve.bump) return bump;
  }
}
