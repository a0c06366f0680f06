import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { curveAddress } from '../src/accounts/addresses.js';
import { createDeployment } from '../src/accounts/deployment.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import { adminSetProperties, buy, createToken, migrate, sell } from '../src/instructions/index.js';
import {
  mint,
  TERMS,
  BUY,
  SELL,
  curve,
  vault,
  feeReceiver,
  properties,
  logAuthority,
  programId,
  dexOwner,
  admin,
} from './instruction-params.js';

describe('builders', () => {
  it('use the addresses of another deployment everywhere', () => {
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
    [
      'a rent that nobody asked for',
      'mintRentLamports',
      () => createToken({ ...TERMS, mintRentLamports: undefined as unknown as bigint }),
    ],
    ['a rent beyond 2^53', 'mintRentLamports', () => createToken({ ...TERMS, mintRentLamports: 2n ** 53n })],
  ];
  for (const [what, argument, build] of nonsense) {
    it(`refuse ${what}, and name ${argument}`, () => {
      expect(build).to.throw(InvalidArgumentError).with.property('argument', argument);
    });
  }

  function first(solToSpend: bigint, minTokenToReceive: bigint): unknown {
    return createToken({ ...TERMS, firstBuy: { solToSpend, minTokenToReceive } });
  }
});

/** The canonical bump of another mint, different from this mint's bump. */
function otherNonce(): number {
  for (;;) {
    const { bump } = curveAddress(Keypair.generate().publicKey);
    if (bump !== curve.bump) return bump;
  }
}
