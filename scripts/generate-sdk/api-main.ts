// Writes sdk/src/generated/api from the definitions that the service serves and documents. With --check it writes nothing and
// fails on a difference.
import { openApiDocument } from '#app/http/openapi.js';
import { marketApi, type MarketParts } from '#app/market/routes.js';
import { partnerApi, type PartnerContext } from '#app/partner/routes.js';
import { rewardsApi, type RewardsParts } from '#app/rewards/routes.js';
import { API_FOLDER, apiFiles } from './api-types.js';
import { writeOrCheck } from './output.js';

// The definitions of routes use the service's parts only when they answer a request.
const rewards = rewardsApi({} as RewardsParts);
const partner = partnerApi({ config: { serviceName: '' } } as PartnerContext);
const market = marketApi({ config: { http: {} } } as MarketParts);
const info = { title: '', version: '', description: '', publicUrl: undefined };
await writeOrCheck(
  API_FOLDER,
  'the OpenAPI document',
  apiFiles(openApiDocument([rewards, partner, market], info)),
);
