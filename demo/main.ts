// `npm run demo`: the story of one token, or a crowd of launches. Exit code 1 when the records and the chain differ.
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { runCommand } from '../scripts/command-line.js';
import { paint, showsColour } from '#app/cli/table.js';
import { showCrowd } from './crowd-show.js';
import { HELP, parseOptions } from './options.js';
import { showStory } from './story-show.js';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(HELP);
    return;
  }
  const started = performance.now();
  const log = (line: string) => console.error(`demo: ${line}`);
  const colour = showsColour(process.stdout);

  log(`starting the cluster (${options.cluster})`);
  const isStory = options.tokens === undefined;
  const cluster = await start(options.cluster, isStory, log);
  try {
    const shown = isStory
      ? await showStory(cluster, log, colour)
      : await showCrowd(cluster, options.tokens, options.seed, log, colour);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (options.json)
      console.log(toJson({ ...shown.document, equal: shown.equal, seconds: Number(seconds) }));
    else {
      const verdict = shown.equal
        ? paint(`equal: ${shown.verdict}`, 'green', colour)
        : paint(`DIFFERENT: ${shown.verdict}`, 'red', colour);
      console.log(`${shown.text}\n\n${verdict} (${seconds} s)`);
    }
    if (!shown.equal) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}

/** The story's operator sets the properties. */
function start(backend: string, isStory: boolean, log: (line: string) => void): Promise<LocalCluster> {
  return startLocalCluster({ backend, log, ...(isStory && { properties: false as const }) });
}

/** Amounts become strings, because they can exceed the range of JSON numbers. */
function toJson(document: object): string {
  return JSON.stringify(
    document,
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    2,
  );
}

runCommand(HELP, main);
