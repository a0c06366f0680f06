// Reads markets for commands, with an error when a market does not exist.
import type { PublicKey } from '@solana/web3.js';
import { fetchMarket, fetchProperties, type Market } from '@curvekit/sdk';
import { WrongClusterError } from '@curvekit/sdk/trade';
import type { Session } from './command.js';
import { CommandError } from './errors.js';

/** @throws WrongClusterError on a cluster without the launchpad, CommandError for a mint of another launchpad */
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
