// Endpoints of the Rewards Claiming API: initiate a claim, and read its status.
import { VersionedTransaction } from '@solana/web3.js';
import { signatureOf } from '@curvekit/sdk';
import { HttpProblem, unavailable } from '../http/problem.js';
import { defineRoute, type Route } from '../http/route.js';
import { TOKEN_NOT_FOUND, success } from '../http/error-shapes.js';
import { INVALID_SIGNATURE, SIGNED, type WalletAuth } from '../http/wallet-auth.js';
import { inTrace, isTracing, nameTransaction } from '../base/tracing/spans.js';
import type { PaysClaims } from './claims.js';
import { ClaimRefusedError, REFUSALS } from './refusal.js';
import type { ClaimsRepository, ClaimState } from './repository.js';
import * as schema from './schemas.js';

export interface ClaimParts {
  readonly auth: WalletAuth;
  readonly repository: Pick<ClaimsRepository, 'find'>;
  readonly claims: PaysClaims;
}

/** `/rewards/{signature}/status` and `/rewards/{address}/initiate` */
export function claimRoutes(parts: ClaimParts): Route[] {
  return [claimStatus(parts), initiateClaim(parts)];
}

function claimStatus({ repository }: ClaimParts): Route {
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
      const claim = await repository.find(params.signature);
      if (claim === undefined) throw new HttpProblem(404, 'CLAIM_NOT_FOUND', 'There is no such claim');
      return success({ status: claim.state, message: STATE_MESSAGES[claim.state] });
    },
  });
}

function initiateClaim({ auth, claims }: ClaimParts): Route {
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
      return inTrace('claim', { attributes: { 'curvekit.asset': asset } }, async () => {
        try {
          const tx = await claims.initiate(request);
          if (isTracing())
            nameTransaction(signatureOf(VersionedTransaction.deserialize(Buffer.from(tx, 'base64'))));
          return success({ tx });
        } catch (error) {
          throw error instanceof ClaimRefusedError ? problemOf(error) : error;
        }
      });
    },
  });
}

function problemOf(error: ClaimRefusedError): HttpProblem {
  if (error.refusal === 'unavailable') return unavailable(error.message, error);
  const { status, code } = REFUSALS[error.refusal];
  return new HttpProblem(status, code, error.message);
}

const STATE_MESSAGES: Readonly<Record<ClaimState, string>> = {
  IN_PROGRESS: 'The claim is being processed',
  COMPLETED: 'The claim was paid',
  FAILED: 'The claim failed; a new one can be initiated',
  EXPIRED: 'The claim expired; a new one can be initiated',
};
