// A Cloudflare Worker.
import { buy } from './buy.mjs';

export default {
  fetch: async (request) => Response.json(await buy(await request.json())),
};
