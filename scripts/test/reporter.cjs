// Mocha's usual report, and after it a line for each file in which a test failed, from which the runner of the suites learns
// what to run again. CommonJS, because mocha loads reporters so.
const path = require('node:path');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const files = new Map();
    const count = (kind) => (test) => {
      // A hook outside of every file has none.
      if (test.file === undefined) return;
      const counts = files.get(test.file) ?? { passed: 0, failed: 0 };
      counts[kind] += 1;
      files.set(test.file, counts);
    };
    runner.on(Runner.constants.EVENT_TEST_PASS, count('passed'));
    runner.on(Runner.constants.EVENT_TEST_FAIL, count('failed'));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      for (const [file, { passed, failed }] of files)
        if (failed > 0)
          console.log(`failed in ${path.relative(process.cwd(), file)}: ${passed} passed, ${failed} failed`);
    });
  }
};
