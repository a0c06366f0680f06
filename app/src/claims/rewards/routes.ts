// The Rewards Claiming API: the endpoints that list rewards, and the endpoints of claims.
import { claimRoutes, type ClaimParts } from '../routes.js';
import { type Api, headerScheme } from '../../http/api.js';
import { envelopeErrors, TOKEN_NOT_FOUND, noToken, success } from '../../http/error-shapes.js';
import { defineRoute, type Route } from '../../http/route.js';
import { INVALID_SIGNATURE, SIGNED } from '../../http/wallet-auth.js';
import { encodeCursor } from './rewards-repository.js';
import type { RewardsService } from './rewards-service.js';
import * as schema from './schemas.js';

export interface RewardsParts extends ClaimParts {
  readonly rewards: RewardsService;
  /** Public URL of the service, if configured. Links to other pages begin with it. */
  readonly publicUrl: string | undefined;
}

export function rewardsApi(parts: RewardsParts): Api {
  return {
    name: 'rewards',
    description: 'Rewards of a wallet, and claiming them',
    prefix: '/rewards',
    errors: envelopeErrors,
    routes: [allRewards(parts), rewardsOfToken(parts), ...claimRoutes(parts)],
    securitySchemes: {
      signature: headerScheme(
        'X-Signature',
        "The wallet's ed25519 signature of the bytes of X-Timestamp, in base58",
      ),
      timestamp: headerScheme(
        'X-Timestamp',
        'Unix time in milliseconds, decimal: at most 5 minutes old, at most 30 seconds ahead',
      ),
    },
  };
}

function allRewards({ auth, rewards, publicUrl }: RewardsParts): Route {
  return defineRoute({
    method: 'get',
    path: '/rewards/{address}',
    operationId: 'getRewards',
    summary: 'All rewards of a wallet',
    description:
      'One entry for each token that ever gave a reward, ordered by token address, at most 1,000 in one answer. The `Link` ' +
      'header of an answer leads to the next page.',
    security: SIGNED,
    params: schema.walletParams,
    query: schema.pageQuery,
    headers: schema.signatureHeaders,
    answer: schema.allRewards,
    answerDescription: 'The rewards',
    answerHeaders: { Link: 'The next page, as `<URL>; rel="next"`; left out on the last' },
    errors: [INVALID_SIGNATURE],
    guard: (request, { address }) => auth.verify(request, address),
    handler: async ({ params: { address }, query: { cursor, limit }, raw, setHeader }) => {
      const { entries, next } = await rewards.page(address, { after: cursor, limit });
      if (next !== undefined) {
        const query = { limit: String(limit), cursor: encodeCursor(next) };
        setHeader('Link', nextPageLink(publicUrl, raw.path, query));
      }
      return success(entries);
    },
  });
}

function rewardsOfToken({ auth, rewards }: RewardsParts): Route {
  return defineRoute({
    method: 'get',
    path: '/rewards/{address}/tokens/{tokenAddress}',
    operationId: 'getTokenRewards',
    summary: 'Rewards of a wallet of one token',
    security: SIGNED,
    params: schema.tokenParams,
    headers: schema.signatureHeaders,
    answer: schema.rewardsOfToken,
    answerDescription: 'The rewards; zero when there never were any',
    errors: [INVALID_SIGNATURE, TOKEN_NOT_FOUND],
    guard: (request, { address }) => auth.verify(request, address),
    handler: async ({ params }) => {
      const data = await rewards.ofToken(params.address, params.tokenAddress);
      if (data === undefined) throw noToken();
      return success(data);
    },
  });
}

/**
 * The value of a `Link` header to the next page (RFC 8288). With the service's public URL it is absolute. Without it, it is
 * relative to the request, so it fits any prefix that a proxy adds to the path.
 *
 * @param path of the request, from the root of the service
 */
function nextPageLink(
  publicUrl: string | undefined,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const base = publicUrl === undefined ? '' : publicUrl.replace(/\/+$/, '') + path;
  return `<${base}?${new URLSearchParams(query).toString()}>; rel="next"`;
}
