/** Runs work of one kind, a few pieces at a time; the others wait in the order in which they came. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.atOnce) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
