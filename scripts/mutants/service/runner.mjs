// Runs test files, and tells the process that has forked it of each test. A process of its own for each mutant: a test that a
// mutant breaks leaves services behind.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';

const { EVENT_HOOK_END, EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_RUN_END } = Mocha.Runner.constants;

const tell = (message) => new Promise((sent) => process.send(message, sent));

/** Ids of the mutants that were run since the last call. */
function hits() {
  const counted = globalThis.__stryker__?.mutantCoverage?.static ?? {};
  const ids = Object.keys(counted);
  // The altered sources keep the object.
  for (const id of ids) delete counted[id];
  return ids;
}

/** Mocha itself would `require` the file. Then tsx reads the sources, and no hook can replace them. */
async function load(mocha, file) {
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  await import(pathToFileURL(file).href);
  mocha.suite.emit('post-require', globalThis, file, mocha);
}

// Nobody reads the outcome any more.
process.once('disconnect', () => process.exit(1));

process.once('message', async (files) => {
  const mocha = new Mocha({ bail: true, timeout: 60_000, reporter: class {} });
  for (const file of files) await load(mocha, resolve(file));
  await tell({ kind: 'loaded', hits: hits() });
  const runner = mocha.run();
  for (const event of [EVENT_HOOK_END, EVENT_TEST_END]) runner.on(event, () => void tell({ kind: 'alive' }));
  runner.on(EVENT_TEST_FAIL, (test, { message }) => {
    void tell({ kind: 'failed', title: test.fullTitle(), file: test.file, message: String(message) });
  });
  runner.on(EVENT_RUN_END, async () => {
    await tell({ kind: 'ended', failures: runner.failures, hits: hits() });
    process.exit();
  });
});
