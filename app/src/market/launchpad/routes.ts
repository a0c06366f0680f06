// `GET /v1/launchpad`: what a client must know before its first transaction, so that nobody has to configure it by hand.
import { AMM, DEFAULT_DEPLOYMENT, graduatesByItself } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import type { Api } from '../../http/api.js';
import { envelopeErrors } from '../../http/error-shapes.js';
import { unavailable } from '../../http/problem.js';
import { defineRoute } from '../../http/route.js';
import { addressSchema } from '../../http/schemas.js';
import { z } from '../../http/zod.js';
import { deploymentSchema, publishedDeployment } from './deployment.js';
import packageFile from '../../../package.json' with { type: 'json' };

export type LaunchpadParts = Context;

const PATH = '/v1/launchpad';
const LONG = 'public, max-age=60, stale-while-revalidate=600';

const answer = z
  .object({
    serviceName: z.string(),
    version: z.string().openapi({ description: 'Version of the service', example: '0.1.0' }),
    genesisHash: z.string().openapi({ description: 'Identifies the cluster' }),
    deployment: deploymentSchema,
    isDevelopment: z.boolean().openapi({
      description: 'Whether this is the development program, whose keys are public: local clusters only',
    }),
    graduation: z.enum(['pool', 'key']).openapi({
      description:
        'What becomes of a sold-out curve: `pool`: anyone can take it into a pool; `key`: the holder of the fee receiver’s key migrates it',
    }),
    amm: z
      .object({
        programId: addressSchema('the AMM'),
        config: addressSchema("the AMM's fee tier of new pools"),
      })
      .openapi({ description: 'Where pools are' }),
    rpcUrl: z.string().nullable().openapi({
      description:
        'RPC node for programs and wallets (`CLIENT_RPC_URL`). Browsers of this launchpad’s page use that of `/v1/market/config`. Null: `POST /rpc` of this service',
    }),
    wsUrl: z.string().nullable().openapi({ description: "The node's websocket; null without an RPC node" }),
  })
  .openapi('LaunchpadInfo', { description: 'A launchpad as its clients have to know it' });

export function launchpadApi({ config, connection, deployment }: LaunchpadParts): Api {
  let genesisHash: string | undefined;
  return {
    name: 'launchpad',
    description: 'Addresses and nodes of this launchpad',
    prefix: PATH,
    errors: envelopeErrors,
    limit: config.http.marketRateLimit,
    routes: [
      defineRoute({
        method: 'get',
        path: PATH,
        operationId: 'getLaunchpad',
        summary: 'What a client has to know of this launchpad',
        description: 'The SDK reads it with `connectLaunchpad(url)`.',
        cacheControl: LONG,
        answer,
        answerDescription: 'The launchpad',
        handler: async () => {
          genesisHash ??= await connection.getGenesisHash().catch((error: unknown) => {
            throw unavailable('The RPC node does not answer; try again later', error);
          });
          const { config: ammConfig } = AMM.addresses(AMM.programId, AMM.programId);
          return {
            serviceName: config.serviceName,
            version: packageFile.version,
            genesisHash,
            deployment: publishedDeployment(deployment),
            isDevelopment: deployment.programId.equals(DEFAULT_DEPLOYMENT.programId),
            graduation: graduatesByItself(deployment) ? ('pool' as const) : ('key' as const),
            amm: { programId: AMM.programId.toBase58(), config: ammConfig.toBase58() },
            rpcUrl: config.clientNode?.rpcUrl ?? null,
            wsUrl: config.clientNode?.wsUrl ?? null,
          };
        },
      }),
    ],
  };
}
