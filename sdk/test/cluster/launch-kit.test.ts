// Launches with the launch kit, and reads the metadata as wallets and explorers do.
import { getMetadataAccountDataSerializer } from '@metaplex-foundation/mpl-token-metadata';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  COMMUNITY_TERMS,
  createToken,
  decodeCreateTokenArgs,
  fetchProperties,
  parseSol,
  tokenAddresses,
} from '@curvekit/sdk';
import { findVanityMint, metadataJson, quoteFirstBuy, uploadMetadata } from '@curvekit/sdk/launch';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { serveHttp, type ServedNode } from '../../../tests/support/node/serve.js';
import { tokensOf } from '../../../tests/support/program/tokens.js';
import { MINT_RENT } from '../../../tests/support/constants.js';

const FIELDS = { name: 'Küken', symbol: 'KÜKEN', description: 'A chick.', x: 'https://x.com/kueken' };
const PIXELS = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

describe('the launch kit', () => {
  const cluster = useCluster();
  /** The files that the HTTP store serves, by path. */
  const kept = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  let store: ServedNode;

  before(async () => {
    store = await serveHttp((request, response) => {
      const file = kept.get(request.url ?? '');
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type }).end(file?.bytes);
    });
  });
  after(() => store.stop());

  /** Fetches as a wallet would, but from the local store instead of its public https address. */
  const read = (address: string) => fetch(`${store.url}${new URL(address).pathname}`);

  it('launches a token with a chosen address, metadata and a first buy, as quoted', async () => {
    const { connection, deployment } = cluster();
    const creator = await cluster().fundedWallet();
    const image = new Blob([PIXELS], { type: 'image/png' });
    const { uri } = await uploadMetadata({ ...FIELDS, image }, async (file, kind) => {
      kept.set(`/${kind}`, { type: file.type, bytes: Buffer.from(await file.arrayBuffer()) });
      return `https://store.example.org/${kind}`;
    });
    const { mint } = await findVanityMint({ suffix: 'z' });
    const properties = await fetchProperties(connection, { deployment });
    const { firstBuy, tokenOut } = quoteFirstBuy(properties!, parseSol('0.5'));
    const payer = creator.publicKey;
    const { name, symbol } = FIELDS;
    const token = { mint: mint.publicKey, payer, name, symbol, uri, firstBuy, deployment };
    const instructions = createToken({ ...token, mintRentLamports: MINT_RENT });
    await cluster().send(instructions, [creator, mint]);

    // The quote was exact.
    const { address } = associatedTokenAddress(payer, mint.publicKey);
    expect(await tokensOf(connection, address)).to.equal(tokenOut);
    const { metadata } = tokenAddresses(mint.publicKey, deployment);
    const account = await connection.getAccountInfo(metadata.address);
    const [onChain] = getMetadataAccountDataSerializer().deserialize(account!.data);
    const text = (padded: string) => padded.replaceAll('\0', '');
    expect([onChain.name, onChain.symbol, onChain.uri].map(text)).to.deep.equal([name, symbol, uri]);
    expect(onChain.mint).to.equal(mint.publicKey.toBase58()).and.to.match(/z$/);

    const document = (await (await read(text(onChain.uri))).json()) as ReturnType<typeof metadataJson>;
    const picture = { url: 'https://store.example.org/picture', type: 'image/png' };
    expect(document).to.deep.equal(metadataJson(FIELDS, picture));
    expect(new Uint8Array(await (await read(document.image)).arrayBuffer())).to.deep.equal(PIXELS);

    // The caller set no terms, so the defaults apply.
    const { data } = instructions.find(({ programId }) => programId.equals(deployment.programId))!;
    expect(decodeCreateTokenArgs(data)).to.include(COMMUNITY_TERMS);
  });
});
