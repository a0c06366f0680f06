// Registers a partner's users, with the API key kept on the server: npx tsx examples/partner-server.ts
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicKey } from '@solana/web3.js';
import { ApiError, PartnerClient } from '@curvekit/sdk/partner';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', API_KEY = '', PORT = '4000' } = process.env;
const partner = new PartnerClient({ baseUrl: LAUNCHPAD_URL, apiKey: API_KEY });

/** Sent by the page: the user's address, the nonce of the message, and the wallet's signature in base64. */
interface Signed {
  readonly publicKey: string;
  readonly signature: string;
  readonly nonce: string;
}

async function answer(request: IncomingMessage): Promise<unknown> {
  if (request.url === '/message') return partner.registrationMessage();
  if (request.url === '/stats') return partner.stats();
  if (request.url !== '/register') throw new ApiError(404, 'NOT_FOUND', `there is no ${request.url}`);
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { publicKey, signature, nonce } = JSON.parse(body) as Signed;
  await partner.register({
    publicKey: new PublicKey(publicKey),
    signature: Buffer.from(signature, 'base64'),
    nonce,
  });
  return { registered: publicKey };
}

const server = createServer((request, response) => {
  const send = (status: number, body: unknown) => {
    const json = JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(json);
  };
  answer(request).then(
    (body) => send(200, body),
    (error: Error) => send(error instanceof ApiError ? error.status : 400, { message: error.message }),
  );
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
