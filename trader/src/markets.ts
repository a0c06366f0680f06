// Markets as commands need them: there, or an error that says why not.
import type { PublicKey } from '@solana/web3.js';
import { fetchMarket, fetchProperties, type Market } from '@curvekit/sdk';
import { WrongClusterError } from '@curvekit/sdk/trade';
import type { Session } from './command.js';
import { CommandError } from './errors.js';

/** @throws WrongClusterError where the launchpad is not, CommandError for a mint that is not of this launchpad */
export async function requireMarket(
  { connection, deployment }: Pick<Session, 'connection' | 'deployment'>,
  mint: PublicKey,
): Promise<Market> {
  const market = await fetchMarket(connection, mint, { deployment });
  if (market !== null) return market;
  if ((await fetchProperties(connection, { deployment })) === null)
    throw new WrongClusterError(deployment.programId, new URL(connection.rpcEndpoint).host);
  throw new CommandError(
    `token ${mint.toBase58()} was not created by program ${deployment.programId.toBase58()}; check the address and --deployment`,
  );
}

const VENUES: Readonly<Record<Market['venue'], string>> = {
  curve: 'on its curve',
  graduating: 'nowhere until its pool opens',
  pool: 'in its pool',
  unknown: 'where its operator has moved it',
};

export function venueText(venue: Market['venue']): string {
  return VENUES[venue];
}
