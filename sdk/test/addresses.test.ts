// tests/program/idl-seeds.test.ts compares the addresses with the documented seeds.
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  curveAddress,
  metadataAddress,
  tokenAddresses,
} from '../src/accounts/addresses.js';
import {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  type DeploymentOverrides,
} from '../src/accounts/deployment.js';
import { InvalidArgumentError } from '../src/errors/index.js';

const mint = Keypair.generate().publicKey;
const newKey = () => Keypair.generate().publicKey;

describe('addresses', () => {
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

  it('follow from the texts of a deployment, as a service publishes them', () => {
    const graduation = { programId: newKey(), treasury: newKey() };
    const keys = {
      programId: newKey(),
      admin: newKey(),
      feeReceiver: newKey(),
      dexOwner: newKey(),
      graduation,
    };
    const texts = JSON.parse(JSON.stringify(keys)) as DeploymentOverrides;
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
