// Writes sdk/src/generated/api from the service's route definitions.
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
const info = { title: '', version: '', description: '', publicUrl: undefined };
await writeOrCheck(
  API_FOLDER,
  'the OpenAPI document',
  apiFiles(openApiDocument([rewards, partner, market, launchpad], info)),
);
