// A service that takes pictures of tokens, and what clients send to it.
import { Keypair } from '@solana/web3.js';
import { keypairWallet } from '@curvekit/sdk';
import type { Database } from '#app/db/database.js';
import { type Service } from '#app/service.js';
import { ApiError } from '#sdk/http/errors.js';
import { uploadPicture, type PictureUpload } from '#sdk/http/market/upload.js';
import { useCluster } from '../cluster/cluster.js';
import { rejection } from '../mocha/failures.js';
import { DocumentedAnswers } from './documented-answers.js';
import { startTestService } from './test-service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

export const FIELDS = {
  name: 'Café',
  symbol: 'CAFE',
  description: 'Warm.',
  website: 'https://cafe.example/',
};

/** A new wallet. */
export const wallet = () => {
  const key = Keypair.generate();
  return { ...keypairWallet(key), key, address: key.publicKey.toBase58() };
};

interface Options {
  readonly fields: Omit<PictureUpload, 'image'>;
  readonly by: ReturnType<typeof wallet>;
  readonly at: Service;
  readonly fetch: typeof globalThis.fetch;
}

/** One cluster and one service for all tests of the surrounding `describe`. */
export function useUploads() {
  const cluster = useCluster();
  const folder = temporaryFolder('uploads');
  let database: Database;
  let service: Service;
  let documented: typeof globalThis.fetch;
  const running: Service[] = [];

  async function start(environment: Record<string, string> = {}): Promise<Service> {
    const started = await startTestService(cluster(), { UPLOADS_FOLDER: folder, ...environment });
    running.push(started);
    return started;
  }

  before(async () => {
    service = await start({ UPLOADS_PER_DAY: '1000', TRUST_PROXY: '1' });
    ({ database } = service.context);
    documented = new DocumentedAnswers(service.document).fetch;
  });
  after(() => Promise.all(running.map((each) => each.stop())));

  const upload = (
    image: Uint8Array,
    { fields = FIELDS, by = wallet(), at = service, fetch = documented }: Partial<Options> = {},
  ) => uploadPicture(by, { ...fields, image: new Blob([Buffer.from(image)]) }, { baseUrl: at.url, fetch });
  const refusal = async (image: Uint8Array, options: Partial<Options> = {}) => {
    const { status, code, message } = await rejection(upload(image, options), ApiError);
    return `${status} ${code} ${message}`;
  };

  return {
    cluster,
    folder: () => folder,
    database: () => database,
    service: () => service,
    documented: () => documented,
    start,
    upload,
    refusal,
  };
}
