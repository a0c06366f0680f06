// Instruction builders for the actions of users and operators.
export { adminSetProperties, type AdminSetPropertiesParams } from './admin-set-properties.js';
export { buy, type BuyParams, type MarketBuyParams } from './buy.js';
export { COMMUNITY_TERMS, type CommunityTerms } from './community-terms.js';
export { createToken, type CreateTokenParams } from './create-token.js';
export { graduate, GRADUATE_COMPUTE_UNITS, type GraduateParams } from './graduate.js';
export { migrate, type MigrateParams } from './migrate.js';
export { sell, type MarketSellParams, type SellParams } from './sell.js';
export { sweepFees } from './sweep-fees.js';
