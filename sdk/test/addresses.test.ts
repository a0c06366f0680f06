import { randomBytes } from 'node:crypto';
import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  communityTokenStorageAddress,
  communityWsolStorageAddress,
  curveAddress,
  metadataAddress,
  tokenAddresses,
  vaultAddress,
} from '../src/accounts/addresses.js';
import {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  type DeploymentOverrides,
} from '../src/accounts/deployment.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import { PublicKey as KitKey } from '../src/kit/chain/keys.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../src/generated/program.js';

const mint = Keypair.generate().publicKey;
const newKey = () => Keypair.generate().publicKey;

/** Derives an address independently, from the documented seeds. */
function derive(
  programId: PublicKey,
  ...seeds: (string | PublicKey)[]
): { address: PublicKey; bump: number } {
  const bytes = seeds.map((seed) => (typeof seed === 'string' ? Buffer.from(seed) : seed.toBuffer()));
  const [address, bump] = PublicKey.findProgramAddressSync(bytes, programId);
  return { address, bump };
}

describe('addresses', () => {
  const { programId } = DEFAULT_DEPLOYMENT;
  const curve = derive(programId, 'token_owner', mint);

  it('equal those derived from the documented seeds, bumps included', () => {
    expect(DEFAULT_DEPLOYMENT.properties).to.deep.equal(derive(programId, 'settings'));
    expect(DEFAULT_DEPLOYMENT.logAuthority).to.deep.equal(derive(programId, 'logging_authority'));
    expect(curveAddress(mint)).to.deep.equal(curve);
    expect(communityWsolStorageAddress(mint)).to.deep.equal(derive(programId, 'community_wsol', mint));
    expect(communityTokenStorageAddress(mint)).to.deep.equal(derive(programId, 'community_token', mint));
    expect(metadataAddress(mint)).to.deep.equal(
      derive(TOKEN_METADATA_PROGRAM_ADDRESS, 'metadata', TOKEN_METADATA_PROGRAM_ADDRESS, mint),
    );
  });

  it('derived for Kit equal those of web3.js', () => {
    for (let round = 0; round < 200; round++) {
      const seeds = Array.from({ length: round % 4 }, () => randomBytes(round % 33));
      const program = newKey();
      const [address, bump] = KitKey.findProgramAddressSync(seeds, new KitKey(program.toBytes()));
      const derived = { address: new PublicKey(address.toBytes()), bump };
      const [wanted, wantedBump] = PublicKey.findProgramAddressSync(seeds, program);
      expect(derived).to.deep.equal({ address: wanted, bump: wantedBump });
    }
  });

  it('addresses of token accounts equal those of @solana/spl-token', () => {
    const owner = Keypair.generate().publicKey;
    const wallet = getAssociatedTokenAddressSync(mint, owner, false, TOKEN_PROGRAM_ADDRESS);
    expect(associatedTokenAddress(owner, mint).address.equals(wallet)).to.equal(true);
    const vault = getAssociatedTokenAddressSync(mint, curve.address, true, TOKEN_PROGRAM_ADDRESS);
    expect(vaultAddress(mint).address.equals(vault)).to.equal(true);
  });

  it('addresses of a token are all in tokenAddresses()', () => {
    expect(tokenAddresses(mint)).to.deep.equal({
      curve,
      vault: vaultAddress(mint),
      metadata: metadataAddress(mint),
      communityWsolStorage: communityWsolStorageAddress(mint),
      communityTokenStorage: communityTokenStorageAddress(mint),
    });
  });

  it('depend on the deployment', () => {
    const { admin, feeReceiver, dexOwner } = DEFAULT_DEPLOYMENT;
    const programId = Keypair.generate().publicKey;
    const other = createDeployment({ programId, admin, feeReceiver, dexOwner });
    expect(other.graduation).to.deep.equal(DEFAULT_DEPLOYMENT.graduation);
    expect(other.properties).to.deep.equal(derive(other.programId, 'settings'));
    expect(other.logAuthority).to.deep.equal(derive(other.programId, 'logging_authority'));
    expect(curveAddress(mint, other)).to.deep.equal(derive(other.programId, 'token_owner', mint));
    expect(tokenAddresses(mint, other).vault).to.deep.equal(vaultAddress(mint, other));
  });

  it('refuse a program id without its authorities, and name the missing ones', () => {
    const [programId, own] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const authorities = { admin: own, feeReceiver: own, dexOwner: own };
    expect(createDeployment({ programId, ...authorities })).to.deep.include({ programId, ...authorities });
    for (const missing of ['admin', 'feeReceiver', 'dexOwner'] as const) {
      const others = Object.entries(authorities).filter(([name]) => name !== missing);
      const call = () => createDeployment({ programId, ...Object.fromEntries(others) });
      expect(call)
        .to.throw(InvalidArgumentError, `${programId.toBase58()}, not the development program`)
        .with.property('message')
        .that.includes(`pass ${missing} as compiled into it`);
    }
    expect(() => createDeployment({ programId })).to.throw('pass admin, feeReceiver, dexOwner as');
    expect(() => createDeployment({ graduation: { programId } })).to.throw('pass graduation.treasury as');
    expect(createDeployment({ graduation: { programId, treasury: own } }).graduation.treasury).to.equal(own);
  });

  it('accept a single authority for the development program', () => {
    const admin = Keypair.generate().publicKey;
    expect(createDeployment({ admin })).to.deep.equal({ ...DEFAULT_DEPLOYMENT, admin });
    expect(createDeployment({ programId: DEFAULT_DEPLOYMENT.programId })).to.deep.equal(DEFAULT_DEPLOYMENT);
  });

  it('follow from the texts of a deployment, as a service publishes them', () => {
    const [programId, admin, feeReceiver, dexOwner, treasury] = Array.from({ length: 5 }, newKey);
    const graduation = { programId: newKey(), treasury: treasury! };
    const keys = {
      programId: programId!,
      admin: admin!,
      feeReceiver: feeReceiver!,
      dexOwner: dexOwner!,
      graduation,
    };
    const texts = JSON.parse(JSON.stringify(keys)) as DeploymentOverrides;
    expect(texts.programId).to.equal(programId!.toBase58());
    expect(createDeployment(texts)).to.deep.equal(createDeployment(keys));
    // A whole deployment can be spread. Its derived addresses follow the overrides.
    const { properties } = createDeployment({ ...DEFAULT_DEPLOYMENT, ...keys });
    expect(properties).to.deep.equal(createDeployment(keys).properties);
  });

  it('refuse an invalid key, and name the argument', () => {
    const text = mint.toBase58() as unknown as PublicKey;
    const calls: [string, () => unknown][] = [
      ['mint', () => curveAddress(text)],
      ['mint', () => tokenAddresses(PublicKey.default)],
      ['owner', () => associatedTokenAddress(undefined as unknown as PublicKey, mint)],
      ['mint', () => metadataAddress(null as unknown as PublicKey)],
      ['feeReceiver', () => createDeployment({ feeReceiver: 'no address' })],
      ['feeReceiver', () => createDeployment({ feeReceiver: text.toString().slice(8) })],
      ['graduation.treasury', () => createDeployment({ graduation: { treasury: '' } })],
      ['programId', () => createDeployment({ programId: PublicKey.default })],
    ];
    for (const [argument, call] of calls) {
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
    }
  });
});
