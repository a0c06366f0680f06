import { failure, ok, type Finding } from './finding.js';
import type { ClusterParts } from './cluster-checks.js';

/** A finalized block is about this old. */
const FINALITY_SECONDS = 15;
/** Signed requests are refused when the clocks differ by five minutes. */
const MOST_SECONDS = 60;
const MS = 1_000;

/** Compares this machine's clock with the newest finalized block. A simulator's blocks do not follow real time. */
export async function checkClock({ config, connection }: ClusterParts): Promise<readonly Finding[]> {
  if (config.isSimulated) return [];
  const subject = 'clock';
  const time = await connection.getBlockTime(await connection.getSlot('finalized'));
  if (time === null) return [];
  const ahead = Math.round(Date.now() / MS) - time - FINALITY_SECONDS;
  if (Math.abs(ahead) <= MOST_SECONDS) return [ok(subject, 'near that of the cluster')];
  return [
    failure(
      subject,
      `this machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the newest finalized block`,
      ahead > 0
        ? "synchronise the clock (NTP), since wallets' signed requests are refused when it is wrong; if it is right, the node or the cluster has stopped"
        : "synchronise the clock (NTP): wallets' signed requests are refused when it is wrong",
      'ClockWrong',
    ),
  ];
}
