// What the RPC node says of a token's storages.
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { readStorages } from '#app/graduation/settlement/periods/storages.js';
import { newAddress } from '#tests/new-address.js';
import { SLOT, startStoragesNode, type StoragesNode } from '#tests/node/storages-node.js';

describe("a token's storages", () => {
  let node: StoragesNode;
  before(async () => {
    node = await startStoragesNode();
  });
  after(() => node.stop());

  const read = (...mints: string[]) => readStorages(new Connection(node.url), DEFAULT_DEPLOYMENT, mints);

  it('hold lamports above their rent, and units, at one slot', async () => {
    const [one, two] = [newAddress(), newAddress()];
    node.give(one, DEFAULT_DEPLOYMENT, { sol: 5n, token: 6n });
    node.give(two, DEFAULT_DEPLOYMENT, { sol: 0n, token: 7n });
    const found = (await read(one, two)).map((each) => 'storages' in each && each.storages);
    expect(found).to.have.lengthOf(2);
    expect(found[0]).to.deep.include({ mint: one, sol: 5n, token: 6n, slot: SLOT });
    expect(found[1]).to.deep.include({ mint: two, sol: 0n, token: 7n, slot: SLOT });
  });

  it('storages that are missing, or of another owner, are a problem of their token alone', async () => {
    const [missing, foreign, right] = [newAddress(), newAddress(), newAddress()];
    const thief = DEFAULT_DEPLOYMENT.feeReceiver;
    node.give(foreign, { ...DEFAULT_DEPLOYMENT, dexOwner: thief }, { sol: 1n, token: 1n });
    node.give(right, DEFAULT_DEPLOYMENT, { sol: 1n, token: 1n });
    const [none, other, whole] = await read(missing, foreign, right);
    expect(none).to.have.property('problem').that.contains('does not exist');
    expect(other)
      .to.have.property('problem')
      .that.contains(`is owned by ${thief.toBase58()}, not by the DEX owner`);
    expect(whole).to.have.property('storages');
  });
});
