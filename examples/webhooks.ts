// Takes a partner's webhooks and verifies each, with the API key kept on the server: npx tsx examples/webhooks.ts
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PartnerClient } from '@curvekit/sdk/partner';
import { Webhook } from 'standardwebhooks';

const { LAUNCHPAD_URL = 'http://127.0.0.1:3000', API_KEY = '', PORT = '4100' } = process.env;
// Keep your webhook's secret in a file instead of adding a webhook at each start.
let { WEBHOOK_SECRET = '' } = process.env;

const server = createServer((request, response) => {
  void (async () => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    try {
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(WEBHOOK_SECRET).verify(Buffer.concat(parts), headers);
      // An event can come twice: remember the ids of those that you have handled.
      console.log(headers['webhook-id'], JSON.stringify(event));
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  })();
});
await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
if (WEBHOOK_SECRET === '') {
  const partner = new PartnerClient({ baseUrl: LAUNCHPAD_URL, apiKey: API_KEY });
  const { id, secret } = await partner.addWebhook({ url });
  WEBHOOK_SECRET = secret;
  console.log(`added the webhook ${id}`);
}
console.log(url);
