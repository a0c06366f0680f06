// The four endpoints of the Rewards Claiming API.
import { ClaimRefusedError, type ClaimRefusal, type Claims } from '../claims/claims.js';
import type { Api } from '../http/api.js';
import { envelopeErrors } from '../http/error-shapes.js';
import { HttpProblem, unavailable } from '../http/problem.js';
import { nextPageLink } from '../http/next-page.js';
import { defineRoute, type ErrorCase, type Route } from '../http/route.js';
import type { WalletAuth } from '../http/wallet-auth.js';
import type { ClaimState } from '../claims/repository.js';
import { success } from '../http/envelope.js';
import { encodeCursor } from './pages.js';
import type { RewardsService } from './rewards-service.js';
import * as schema from './schemas.js';

export interface RewardsParts {
  readonly auth: WalletAuth;
  readonly rewards: RewardsService;
  readonly claims: Claims;
  /** Where clients reach the service, if that is configured: links to other pages begin with it. */
  readonly publicUrl: string | undefined;
}

const SIGNED = ['signature', 'timestamp'];
const INVALID_SIGNATURE: ErrorCase = {
  status: 401,
  code: 'INVALID_SIGNATURE',
  description: 'The signature is missing, malformed, not by this wallet, or its timestamp is not of now.',
};
const TOKEN_NOT_FOUND: ErrorCase = {
  status: 404,
  code: 'TOKEN_NOT_FOUND',
  description: 'There is no such token.',
};

/** `/rewards/…` */
export function rewardsApi(parts: RewardsParts): Api {
  return {
    name: 'rewards',
    description: 'Rewards of a wallet, and claiming them',
    prefix: '/rewards',
    errors: envelopeErrors,
    routes: [allRewards(parts), rewardsOfToken(parts), claimStatus(parts), initiateClaim(parts)],
    securitySchemes: {
      signature: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Signature',
        description: "The wallet's ed25519 signature of the bytes of X-Timestamp, in base58",
      },
      timestamp: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Timestamp',
        description: 'Unix time in milliseconds, decimal: at most 5 minutes old, at most 30 seconds ahead',
      },
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
      return success([...entries]);
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
      if (data === undefined) throw problemOf(new ClaimRefusedError('token', 'There is no such token'));
      return success(data);
    },
  });
}

function claimStatus({ claims }: RewardsParts): Route {
  return defineRoute({
    method: 'get',
    path: '/rewards/{signature}/status',
    operationId: 'getClaimStatus',
    summary: 'How a claim stands',
    description: '`signature` is the first signature of the transaction that `initiate` returned.',
    params: schema.claimParams,
    answer: schema.claimStatus,
    answerDescription: 'The state of the claim',
    errors: [{ status: 404, code: 'CLAIM_NOT_FOUND', description: 'There is no such claim.' }],
    handler: async ({ params }) => {
      const claim = await claims.find(params.signature);
      if (claim === undefined) throw new HttpProblem(404, 'CLAIM_NOT_FOUND', 'There is no such claim');
      return success({ status: claim.state, message: STATE_MESSAGES[claim.state] });
    },
  });
}

function initiateClaim({ auth, claims }: RewardsParts): Route {
  return defineRoute({
    method: 'post',
    path: '/rewards/{address}/initiate',
    operationId: 'initiateClaim',
    summary: 'Claim rewards',
    description:
      'Reserves all unclaimed rewards of one kind and returns the transaction that pays them. Sign it with the wallet, ' +
      'which needs no SOL, and submit it to the cluster. A signature of a request works once here.',
    security: SIGNED,
    params: schema.walletParams,
    headers: schema.claimHeaders,
    body: schema.claimRequest,
    answer: schema.initiatedClaim,
    answerDescription: 'The transaction',
    errors: [
      INVALID_SIGNATURE,
      TOKEN_NOT_FOUND,
      { status: 400, code: 'CLAIM_ERROR', description: 'There is nothing to claim, or it cannot be paid.' },
      {
        status: 409,
        code: 'CLAIM_IN_PROGRESS',
        description: 'A claim for this token is in progress already.',
      },
      {
        status: 422,
        code: 'IDEMPOTENCY_KEY_REUSED',
        description: 'The Idempotency-Key was used with another body.',
      },
    ],
    guard: (request, { address }) => auth.verifyOnce(request, address),
    handler: async ({ params, headers, body }) => {
      const asset = schema.claimAsset.safeParse(body.claimType).data;
      if (asset === undefined) throw new HttpProblem(400, 'CLAIM_ERROR', 'claimType must be SOL or TOKEN');
      const request = {
        wallet: params.address,
        mint: body.tokenAddress,
        asset,
        burn: body.burnToken,
        idempotencyKey: headers['idempotency-key'],
      };
      try {
        return success({ tx: await claims.initiate(request) });
      } catch (error) {
        throw error instanceof ClaimRefusedError ? problemOf(error) : error;
      }
    },
  });
}

const REFUSALS: Readonly<
  Record<Exclude<ClaimRefusal, 'unavailable'>, readonly [status: number, code: string]>
> = {
  claim: [400, 'CLAIM_ERROR'],
  later: [400, 'CLAIM_ERROR'],
  token: [404, 'TOKEN_NOT_FOUND'],
  'in progress': [409, 'CLAIM_IN_PROGRESS'],
  'key reused': [422, 'IDEMPOTENCY_KEY_REUSED'],
};

function problemOf(error: ClaimRefusedError): HttpProblem {
  if (error.refusal === 'unavailable') return unavailable(error.message, error);
  const [status, code] = REFUSALS[error.refusal];
  return new HttpProblem(status, code, error.message);
}

const STATE_MESSAGES: Readonly<Record<ClaimState, string>> = {
  IN_PROGRESS: 'The claim is being processed',
  COMPLETED: 'The claim was paid',
  FAILED: 'The claim failed; a new one can be initiated',
  EXPIRED: 'The claim expired; a new one can be initiated',
};
