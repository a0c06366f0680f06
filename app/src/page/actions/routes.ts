// Solana Actions: feeds and wallets that support them show a link to a token as a card with buttons.
import { parseSol } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import type { Api } from '../../http/api.js';
import { HttpProblem, unavailable } from '../../http/problem.js';
import { defineRoute, type ErrorCase } from '../../http/route.js';
import { addressSchema } from '../../http/schemas.js';
import { type ErrorShape, TOKEN_NOT_FOUND } from '../../http/error-shapes.js';
import { walletSchema } from '../../http/wallet-schemas.js';
import { z } from '../../http/zod.js';
import { CachedValue } from '../../base/cached-value.js';
import { cachedTokens } from '../token-words.js';
import { transactionOf } from './buy.js';
import { cardOf, LEAST_SOL, MOST_SOL } from './card.js';

/** https://solana.com/developers/guides/advanced/actions */
const VERSION = '2.4';
/** Length of a genesis hash in a CAIP-2 chain id. */
const CHAIN_ID_LENGTH = 32;

const NOT_TRADING: ErrorCase = {
  status: 409,
  code: 'TOKEN_NOT_TRADING',
  description: 'The curve has sold out and there is no pool yet.',
};
const WOULD_FAIL: ErrorCase = {
  status: 422,
  code: 'TRADE_WOULD_FAIL',
  description: 'The simulation failed: mostly the wallet has too little SOL.',
};

const params = z.strictObject({ mint: addressSchema("the token's address") });

const amount = z
  .string()
  .transform((text, context) => {
    const lamports = /^\d{1,10}(\.\d{1,9})?$/.test(text) ? parseSol(text) : 0n;
    if (lamports >= parseSol(LEAST_SOL) && lamports <= parseSol(MOST_SOL)) return lamports;
    const limits = `from ${LEAST_SOL} to ${MOST_SOL} SOL, with at most nine digits after the point`;
    context.addIssue({ code: 'custom', message: `must be a number ${limits}, such as 0.5` });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    pattern:
      '^(1000(\\.0{1,9})?|[1-9]\\d{0,2}(\\.\\d{1,9})?|0\\.([1-9]\\d{0,8}|0[1-9]\\d{0,7}|00[1-9]\\d{0,6}))$',
    example: '0.5',
    description: `SOL to spend: from ${LEAST_SOL} to ${MOST_SOL}`,
  });

const link = z.object({
  type: z.literal('transaction'),
  label: z.string(),
  href: z.string().openapi({ description: 'Where to post, from this service' }),
  parameters: z
    .array(
      z.object({
        type: z.literal('number'),
        name: z.literal('amount'),
        label: z.string(),
        required: z.literal(true),
        min: z.number().openapi({ format: 'double' }),
        max: z.number().openapi({ format: 'double' }),
      }),
    )
    .optional(),
});

const card = z.object({
  type: z.literal('action'),
  icon: z.string(),
  title: z.string(),
  description: z.string(),
  label: z.string(),
  disabled: z.boolean().optional(),
  error: z.object({ message: z.string() }).optional(),
  links: z.object({ actions: z.array(link) }),
});

const rules = z.object({
  rules: z.array(z.object({ pathPattern: z.string(), apiPath: z.string() })),
});

const answerHeaders = {
  'X-Action-Version': 'Of the specification',
  'X-Blockchain-Ids': 'Cluster of the transactions, as CAIP-2 writes it',
};

/** `/actions.json` and `/actions/t/{mint}`, for pages of every origin. */
export function actionsApis(context: Context): Api[] {
  const { config, connection, database } = context;
  const tokenOf = cachedTokens(database);
  const knownToken = async (mint: string) => {
    const token = await tokenOf(mint);
    if (token === undefined) throw new HttpProblem(404, TOKEN_NOT_FOUND.code, TOKEN_NOT_FOUND.description);
    return token;
  };
  const chainId = new CachedValue(Infinity, async () => {
    const genesis = await connection.getGenesisHash().catch((error: unknown) => {
      throw unavailable('The RPC node does not answer; try again later', error);
    });
    return `solana:${genesis.slice(0, CHAIN_ID_LENGTH)}`;
  });
  type SetHeader = (name: string, value: string) => void;
  const identify = async (setHeader: SetHeader) => {
    setHeader('X-Action-Version', VERSION);
    setHeader('X-Blockchain-Ids', await chainId.get());
  };
  const shared = { errors: actionErrors, kind: 'action' as const, anyOrigin: true };

  const listed = defineRoute({
    method: 'get',
    path: '/actions.json',
    operationId: 'listActions',
    summary: 'Which paths of the page have actions',
    answer: rules,
    answerDescription: 'The rules',
    answerHeaders,
    handler: async ({ setHeader }) => {
      await identify(setHeader);
      return {
        rules: [
          { pathPattern: '/t/*', apiPath: '/actions/t/*' },
          { pathPattern: '/actions/t/**', apiPath: '/actions/t/**' },
        ],
      };
    },
  });
  const shown = defineRoute({
    method: 'get',
    path: '/actions/t/{mint}',
    operationId: 'getTokenAction',
    summary: 'The card of a token, with buttons that buy it',
    params,
    answer: card,
    answerDescription: 'The card',
    answerHeaders,
    errors: [TOKEN_NOT_FOUND],
    handler: async ({ params: { mint }, raw, setHeader }) => {
      const token = await knownToken(mint);
      await identify(setHeader);
      return cardOf(token, config.http.publicUrl?.replace(/\/+$/, '') ?? raw.origin);
    },
  });
  const bought = defineRoute({
    method: 'post',
    path: '/actions/t/{mint}',
    operationId: 'makeTokenAction',
    summary: 'A transaction that buys a token, on its curve or in its pool',
    description: 'Simulated, and not signed. The least it buys is 1 % below the quote.',
    params,
    query: z.strictObject({ amount }),
    // Clients send more: `type` and `data`, and what later versions add.
    body: z.object({ account: walletSchema('the wallet that pays and signs') }),
    answer: z.object({
      type: z.literal('transaction'),
      transaction: z.string().openapi({ description: 'In base64' }),
      message: z.string(),
    }),
    answerDescription: 'The transaction, which the wallet signs and sends',
    answerHeaders,
    errors: [TOKEN_NOT_FOUND, NOT_TRADING, WOULD_FAIL],
    handler: async ({ params: { mint }, query, body: { account }, setHeader }) => {
      await knownToken(mint);
      await identify(setHeader);
      const made = await transactionOf(context, { mint, account, lamports: query.amount });
      return { type: 'transaction' as const, ...made };
    },
  });
  return [
    {
      ...shared,
      name: 'actions-rules',
      description: 'Solana Actions: where they are',
      prefix: '/actions.json',
      routes: [listed],
    },
    {
      ...shared,
      name: 'actions',
      description: 'Solana Actions: buying a token from a feed',
      prefix: '/actions',
      routes: [shown, bought],
    },
  ];
}

/** `{message}`, which wallets and feeds show. The message also names invalid fields. */
const actionErrors: ErrorShape = {
  body: ({ message, fields }) => ({
    message: [message, ...fields.map((problem) => `${problem.field} ${problem.message}`)].join('; '),
  }),
  schema: () => z.object({ message: z.string() }),
};
