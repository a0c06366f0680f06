import { type AccountInfo, Keypair, type PublicKey, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeTokenOwnerAccount } from '../src/accounts/decode.js';
import { DEFAULT_DEPLOYMENT } from '../src/accounts/deployment.js';
import { UnexpectedAccountError } from '../src/errors/index.js';
import { encodeProperties, encodeTokenOwnerData } from '../src/generated/accounts.js';

const address = Keypair.generate().publicKey;
const curve = {
  initialized: 1,
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  afterMigrationFee: 100,
  afterMigrationBurnBp: 5_000,
};
const properties = {
  initialized: 1,
  bump: 255,
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};

function account(data: Uint8Array, owner: PublicKey = DEFAULT_DEPLOYMENT.programId): AccountInfo<Uint8Array> {
  return { data, owner, lamports: 1_000_000, executable: false };
}

describe('accounts', () => {
  const bytes = encodeTokenOwnerData(curve);
  it('of another kind are refused, and the error names the address', () => {
    const strangers: [AccountInfo<Uint8Array>, string][] = [
      [account(bytes, Keypair.generate().publicKey), 'belongs to'],
      [account(bytes, SystemProgram.programId), 'belongs to'],
      [account(encodeProperties(properties)), 'discriminator'],
      [account(new Uint8Array()), 'discriminator'],
      [account(bytes.subarray(0, -1)), 'is 28 bytes long; a TokenOwnerData has 29'],
      [account(Uint8Array.from([...bytes, 0])), 'is 30 bytes long'],
    ];
    for (const [stranger, problem] of strangers)
      expect(() => decodeTokenOwnerAccount(address, stranger))
        .to.throw(UnexpectedAccountError, problem)
        .with.property('address', address);
  });
});
