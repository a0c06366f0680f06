import type { Database } from '../../db/database.js';
import {
  describeKeys,
  issueKey,
  revokeKey,
  rotateKey,
  type IssuedKey,
  type IssueKeyOptions,
  type KeyInfo,
} from '../../partners/keys.js';
import type { Scope } from '../../partners/scopes.js';
import type { Invocation, Result } from '../command.js';
import { withDatabase } from '../database.js';
import { facts, moment, tableOr } from '../format.js';

interface IssueOptions {
  readonly partner: string;
  readonly wallet?: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly limit?: number;
}

export async function runKeyIssue({ options, terminal }: Invocation<IssueOptions>): Promise<Result> {
  const terms: IssueKeyOptions = {
    partner: options.partner,
    payoutWallet: options.wallet,
    scopes: options.scopes,
    requestLimit: options.limit,
    lifetimeSeconds: options.expires,
  };
  const issued = await withDatabase(terminal, (database) => issueKey(storeOf(database), terms));
  return { document: documentOf(issued), text: issuedText(issued) };
}

export async function runKeyList({ terminal }: Invocation<object>): Promise<Result> {
  const keys = await withDatabase(terminal, (database) => describeKeys(storeOf(database)));
  const text = tableOr(
    'There are no keys. `curvekit key issue` makes one.',
    [
      { title: 'id' },
      { title: 'partner' },
      { title: 'payout wallet' },
      { title: 'scopes' },
      { title: 'limit', align: 'right' },
      { title: 'state' },
      { title: 'expires', unit: 'UTC' },
      { title: 'last used', unit: 'UTC' },
    ],
    keys.map(({ id, partner, scopes: allowed, requestLimit, state, expiresAt, lastUsedAt }) => ({
      cells: [
        id,
        partner.name,
        partner.payoutWallet,
        allowed.join('\n'),
        requestLimit === null ? '' : String(requestLimit),
        state,
        moment(expiresAt),
        moment(lastUsedAt),
      ],
    })),
  );
  return { document: { keys: keys.map((info) => documentOf(info)) }, text };
}

export async function runKeyRotate({
  args,
  options,
  terminal,
}: Invocation<{ readonly overlap: number }>): Promise<Result> {
  const { issued, replaced } = await withDatabase(terminal, (database) =>
    rotateKey(storeOf(database), args[0]!, { overlapSeconds: options.overlap }),
  );
  const text = `${issuedText(issued)}\n\nThe old key ${replaced.id} is good until ${moment(replaced.expiresAt)} UTC.`;
  return { document: { issued: documentOf(issued), replaced: documentOf(replaced) }, text };
}

export async function runKeyRevoke({ args, terminal }: Invocation<object>): Promise<Result> {
  const revoked = await withDatabase(terminal, (database) => revokeKey(storeOf(database), args[0]!));
  return {
    document: documentOf(revoked),
    text: `Revoked the key ${revoked.id} of ${revoked.partner.name}.`,
  };
}

function storeOf(database: Database) {
  return { database, now: Date.now };
}

function documentOf({ partner, ...info }: KeyInfo | IssuedKey): object {
  return { ...info, partner: partner.name, payoutWallet: partner.payoutWallet };
}

function issuedText({ key, id, partner, scopes: allowed, requestLimit, expiresAt }: IssuedKey): string {
  return [
    facts([
      ['key', key],
      ['id', id],
      ['partner', partner.name],
      ['payout wallet', partner.payoutWallet],
      ['scopes', allowed.join(', ')],
      ['limit', requestLimit === null ? 'of the address' : `${requestLimit} requests in a window`],
      ['expires', expiresAt === null ? 'never' : `${moment(expiresAt)} UTC`],
    ]),
    '',
    'This is the only time that the key is shown. Hand it over safely.',
  ].join('\n');
}
