// The core derives addresses synchronously, Kit asynchronously. The core runs until it needs an address that is not
// derived yet. Then Kit derives it, and the core runs again from the start, once per address. The core only computes,
// so running again is harmless.
import { getProgramDerivedAddress, type Address } from '@solana/kit';

type Derived = readonly [address: string, bump: number];

class Underived {
  constructor(
    readonly id: string,
    readonly seeds: readonly Uint8Array[],
    readonly programId: string,
  ) {}
}

/** The addresses that the running call of {@link deriving} has derived so far. */
let found: ReadonlyMap<string, Derived> | undefined;

/** The canonical program-derived address of the seeds. Works only within {@link deriving}. */
export function derived(seeds: readonly Uint8Array[], programId: string): Derived {
  const id = [programId, ...seeds.map((seed) => seed.join())].join(';');
  const address = found?.get(id);
  // Not an Error: a stack trace for each address would cost more than the rest.
  // oxlint-disable-next-line typescript/only-throw-error
  if (address === undefined) throw new Underived(id, seeds, programId);
  return address;
}

/** Runs a function that derives addresses. It must derive all of them before its first `await`. */
export async function deriving<T>(work: () => T | Promise<T>): Promise<T> {
  const addresses = new Map<string, Derived>();
  for (;;) {
    try {
      return await withFound(addresses, work);
    } catch (error) {
      if (!(error instanceof Underived)) throw error;
      const { id, seeds, programId } = error;
      const programAddress = programId as Address;
      addresses.set(id, await getProgramDerivedAddress({ programAddress, seeds: [...seeds] }));
    }
  }
}

/** Other calls may run while this one waits, so they must not see these addresses. */
function withFound<T>(addresses: ReadonlyMap<string, Derived>, work: () => T): T {
  found = addresses;
  try {
    return work();
  } finally {
    found = undefined;
  }
}
