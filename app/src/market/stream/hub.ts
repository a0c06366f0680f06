// Passes events to readers. Readers of the same topics share a group, so each frame is serialized once per group.
import type { IndexProgress } from '@curvekit/sdk/market';
import type { EventRow } from './feed.js';
import { coalesced, frameOf, positionFrame, UNKNOWN_PROGRESS } from './frames.js';
import type { Reader } from './reader.js';
import { BOARD, topicsOf } from './topics.js';

const HEARTBEAT_MS = 15_000;
/** Shortest interval between two board updates. */
const BOARD_MS = 250;

class Group {
  readonly readers = new Set<Reader>();
  #held: EventRow[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly topics: readonly string[]) {}

  /** A group that follows the board gets all its events at the board's interval, so that ids stay in order. */
  hand(events: readonly EventRow[]): void {
    if (!this.topics.includes(BOARD)) return this.#send(events);
    this.#held.push(...events);
    this.#timer ??= setTimeout(() => this.flush(), BOARD_MS);
  }

  /** Sends the held events. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.#send(coalesced(held));
  }

  #send(events: readonly EventRow[]): void {
    const bytes = Buffer.from(events.map(frameOf).join(''));
    for (const reader of this.readers) reader.send(bytes);
  }
}

export class Hub {
  readonly #groups = new Map<string, Group>();
  readonly #byTopic = new Map<string, Set<Group>>();
  readonly #heartbeat: NodeJS.Timeout;
  #readers = 0;
  #isStopped = false;

  /**
   * @param position id of the last event passed on
   * @param progress how far the index is; asked before each beat, and only while there are readers
   */
  constructor(
    readonly position: () => bigint | undefined,
    readonly progress: () => Promise<IndexProgress>,
  ) {
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  async #beat(): Promise<void> {
    if (this.#readers === 0) return;
    // A node or database that does not answer must not silence the beat.
    const progress = await this.progress().catch(() => UNKNOWN_PROGRESS);
    const last = this.position();
    if (last === undefined) return;
    const bytes = Buffer.from(positionFrame(last, progress));
    for (const group of this.#groups.values()) {
      group.flush();
      for (const reader of group.readers) reader.beat(bytes);
    }
  }

  get readers(): number {
    return this.#readers;
  }

  /** Starts sending the events of its topics to a reader. @returns a function that stops it */
  add(reader: Reader, topics: readonly string[]): () => void {
    if (this.#isStopped) reader.end();
    const group = this.#groupOf(topics);
    // Held events are older than this reader.
    group.flush();
    group.readers.add(reader);
    this.#readers += 1;
    return () => {
      if (!group.readers.delete(reader)) return;
      this.#readers -= 1;
      if (group.readers.size === 0) this.#remove(group);
    };
  }

  hand(events: readonly EventRow[]): void {
    const byGroup = new Map<Group, EventRow[]>();
    for (const event of events) {
      for (const group of this.#groupsFor(event)) {
        const own = byGroup.get(group);
        if (own === undefined) byGroup.set(group, [event]);
        else own.push(event);
      }
    }
    for (const [group, own] of byGroup) group.hand(own);
  }

  /** Ends all streams. Their clients reconnect to another instance or process. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    for (const group of this.#groups.values()) {
      group.flush();
      for (const reader of group.readers) reader.end();
    }
  }

  #groupsFor(event: EventRow): Iterable<Group> {
    const topics = topicsOf(event);
    if (topics === undefined) return this.#groups.values();
    return new Set(topics.flatMap((topic) => [...(this.#byTopic.get(topic) ?? [])]));
  }

  #groupOf(topics: readonly string[]): Group {
    const sorted = [...new Set(topics)].sort();
    const key = sorted.join(' ');
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = new Group(sorted);
    this.#groups.set(key, group);
    for (const topic of sorted) this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(group));
    return group;
  }

  #remove(group: Group): void {
    group.flush();
    this.#groups.delete(group.topics.join(' '));
    for (const topic of group.topics) {
      const groups = this.#byTopic.get(topic);
      groups?.delete(group);
      if (groups?.size === 0) this.#byTopic.delete(topic);
    }
  }
}
