import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BatchLoader } from '#app/db/batch-loader.js';

describe('BatchLoader', () => {
  it('reads concurrently requested keys in one batch, each key once', async () => {
    const reads: string[][] = [];
    const loader = new BatchLoader<string>((keys) => {
      reads.push([...keys]);
      return Promise.resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `of ${key}`])));
    });
    const answers = await Promise.all(['a', 'b', 'a', 'none'].map((key) => loader.get(key)));
    expect(answers).to.deep.equal(['of a', 'of b', 'of a', undefined]);
    expect(reads).to.deep.equal([['a', 'b', 'none']]);
  });

  it('never returns a value that was read before the request', async () => {
    let value = 0;
    const loader = new BatchLoader<number>(async (keys) => {
      const read = value;
      await sleep(20);
      return new Map(keys.map((key) => [key, read]));
    });
    const first = loader.get('a');
    await sleep(10);
    value = 1;
    expect(await loader.get('a')).to.equal(1);
    expect(await first).to.equal(0);
  });

  it('reads for later requests while a read gets no answer', async () => {
    const loader = new BatchLoader<string>((keys) =>
      keys.includes('lost')
        ? new Promise(() => undefined)
        : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    );
    void loader.get('lost');
    await sleep(5);
    for (const key of ['a', 'b', 'c']) expect(await loader.get(key)).to.equal(key);
  });

  it('rejects only the requests whose read failed', async () => {
    let fail = true;
    const loader = new BatchLoader<string>((keys) =>
      fail ? Promise.reject(new Error('away')) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    );
    const problem = await loader.get('a').catch((error: unknown) => error);
    expect(problem).to.be.instanceOf(Error).with.property('message', 'away');
    fail = false;
    expect(await loader.get('a')).to.equal('a');
  });
});
