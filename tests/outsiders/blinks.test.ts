// The published client of Solana Actions: it finds the action of a token's page, shows it and presses every button.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import { expect } from 'chai';
import { eventually } from '#tests/service/service.js';
import { fromNpm, launchpad } from '#tests/outsiders/launchpad.js';

interface Blinks {
  unfurlUrlToBlinkApiUrl(page: URL): Promise<string>;
  readonly BlinkInstance: { fetch(url: string): Promise<Blink> };
}
interface Blink {
  readonly error: string | null;
  readonly icon: string;
  readonly metadata: { readonly blockchainIds: readonly string[] };
  readonly actions: readonly Button[];
  isSupported(adapter: object): Promise<object>;
}
interface Button {
  readonly label: string;
  setValue?(value: string): void;
  post(account: string): Promise<{ readonly type: string; readonly transaction: string }>;
}

describe('@dialectlabs/blinks-core', function () {
  this.timeout(300_000);
  let blink: Blink;
  let mint: string;
  let wallet: Keypair;
  let connection: Connection;

  before('open the page of a token', async () => {
    const [{ url, rpcUrl, tokens, walletFile }, folder] = await Promise.all([
      launchpad(),
      fromNpm('@dialectlabs/blinks-core@0.20.7', '@solana/web3.js@1.99.0', 'react@18.3.1'),
    ]);
    const { resolve } = createRequire(join(folder, 'package.json'));
    const client = (await import(
      pathToFileURL(resolve('@dialectlabs/blinks-core')).href
    )) as unknown as Blinks;
    mint = tokens[0]!.mint;
    wallet = Keypair.fromSecretKey(
      Uint8Array.from(JSON.parse(await readFile(walletFile, 'utf8')) as number[]),
    );
    connection = new Connection(rpcUrl, 'confirmed');
    blink = await client.BlinkInstance.fetch(
      await client.unfurlUrlToBlinkApiUrl(new URL(`${url}/t/${mint}`)),
    );
  });

  it('supports the action, and shows its picture', async () => {
    expect(blink.error).to.equal(null);
    const supportedBlockchainIds = blink.metadata.blockchainIds;
    expect(await blink.isSupported({ metadata: { supportedBlockchainIds } })).to.deep.equal({
      isSupported: true,
    });
    const picture = await fetch(blink.icon);
    expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
  });

  it('gets a buy from every button, which the wallet signs and which lands', async () => {
    expect(blink.actions).to.have.length(4);
    const { address } = associatedTokenAddress(wallet.publicKey, new PublicKey(mint));
    const held = async () =>
      BigInt((await connection.getTokenAccountBalance(address).catch(() => undefined))?.value.amount ?? 0);
    for (const button of blink.actions) {
      button.setValue?.('0.25');
      const before = await held();
      const { type, transaction } = await button.post(wallet.publicKey.toBase58());
      expect(type).to.equal('transaction');
      const buy = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
      buy.sign([wallet]);
      await connection.sendTransaction(buy);
      await eventually(async () => (await held()) > before, `the tokens of "${button.label}"`);
    }
  });
});
