// Answers that many claims at once share: one question for all who ask within a moment.

/** For so long an answer is given again. What is paid meanwhile is noticed by its slot when a claim is stored. */
const SHARED_MS = 250;

interface Shared<T> {
  readonly answer: Promise<T>;
  readonly until: number;
}

export class SharedAnswers<T> {
  readonly #answers = new Map<string, Shared<T>>();

  /** The answer under a key; a failure is not given again. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#answers.get(key);
    if (known !== undefined && now < known.until) return known.answer;
    for (const [other, { until }] of this.#answers) if (until <= now) this.#answers.delete(other);
    const answer = ask();
    this.#answers.set(key, { answer, until: now + SHARED_MS });
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }
}
