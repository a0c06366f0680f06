// Writes sdk/src/generated/api from the service's route definitions: the SDK's types, and the document of clients in other languages.
import { openApiDocument } from '#app/http/openapi.js';
import { launchpadApi, type LaunchpadParts } from '#app/market/launchpad/routes.js';
import { marketApi, type MarketParts } from '#app/market/routes.js';
import { partnerApi, type PartnerContext } from '#app/partners/routes.js';
import { rewardsApi, type RewardsParts } from '#app/claims/rewards/routes.js';
import { API_FOLDER, apiFiles } from './api-types.js';
import { writeOrCheck } from './output.js';

// Route definitions use the service's parts only to answer a request, so empty parts are enough here.
const rewards = rewardsApi({} as RewardsParts);
const partner = partnerApi({ config: { serviceName: '' } } as PartnerContext);
const market = marketApi({ config: { http: {} } } as MarketParts);
const launchpad = launchpadApi({ config: { http: {} } } as LaunchpadParts);
const info = { title: 'Curvekit', version: '1', description: '', publicUrl: undefined };
const document = openApiDocument([rewards, partner, market, launchpad], info);
await writeOrCheck(API_FOLDER, 'the OpenAPI document', {
  ...apiFiles(document),
  'openapi.json': JSON.stringify(withoutRefusals(document)),
});

/** Generators make a type of each refusal of each operation. The clients in other languages have one error for all of them. */
function withoutRefusals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutRefusals);
  const parts = Object.entries(value).filter(([name]) => !/^[45]\d\d$/.test(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutRefusals(part)]));
}
