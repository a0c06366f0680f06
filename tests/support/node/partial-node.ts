// An RPC node that has only some blocks of a chain.
import type { ForkingChain } from './forking-chain.js';
import type {
  Commitment,
  ListedTransaction,
  ScriptedAnswer,
  ScriptedBlock,
  ScriptedCall,
  ScriptedHistory,
} from './scripted-node.js';

export class PartialNode implements ScriptedHistory {
  /** Which slots its ledger has. */
  has: (slot: number) => boolean = () => true;
  deployedIn: number | undefined = 1;
  missing: ReadonlySet<string> = new Set();
  /** Whether it answers -32020 for an unknown transaction to list from, as Agave does since version 4. */
  isStrict = false;
  /** A replacement for its answer; undefined for the normal answer. */
  instead: (call: ScriptedCall) => ScriptedAnswer | undefined = () => undefined;
  /** Called with each page that it lists. */
  onList: () => void = () => undefined;

  constructor(private readonly chain: ForkingChain) {}

  override(call: ScriptedCall): ScriptedAnswer | undefined {
    const instead = this.instead(call);
    if (instead !== undefined || !this.isStrict || call.method !== 'getSignaturesForAddress') return instead;
    const { before, until } = call.params[1] as { before?: string; until?: string };
    const unknown = [before, until].find((place) => place !== undefined && this.slotOf(place) === null);
    if (unknown === undefined) return undefined;
    return { error: { code: -32020, message: `Transaction ${unknown} not found` } };
  }

  slot(commitment: Commitment): number {
    return this.chain.slot(commitment);
  }

  list(
    commitment: Commitment,
    { before, until, limit }: { before?: string; until?: string; limit: number },
  ): ListedTransaction[] {
    const all = this.chain.list(commitment, { limit: Infinity }).filter(({ slot }) => this.has(slot));
    const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    const end = all.findIndex(({ signature }) => signature === until);
    const page = all.slice(start, end === -1 ? undefined : end).slice(0, limit);
    this.onList();
    return page;
  }

  transaction(signature: string, commitment: Commitment) {
    const found = this.chain.transaction(signature, commitment);
    return found !== null && this.has(found.slot) ? found : null;
  }

  slotOf(signature: string): number | null {
    const slot = this.chain.slotOf(signature);
    return slot !== null && this.has(slot) ? slot : null;
  }

  blocks(from: number, to: number): number[] {
    return this.chain.blocks(from, to).filter((slot) => this.has(slot));
  }

  block(slot: number): ScriptedBlock | null {
    return this.has(slot) ? this.chain.block(slot) : null;
  }
}
