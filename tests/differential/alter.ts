// Alters a call of the program.
import { OTHER_DEPLOYMENT, type Arena } from './arena.js';
import type { Call, Meta } from './call.js';
import type { Alteration } from './steps.js';

/** Returns the altered call, and a description of the change. */
export function alter(
  call: Call,
  alteration: Alteration,
  { pool, nearMiss }: Arena,
): readonly [altered: Call, what: string] {
  const { program, metas, data } = call;
  const at = (position: number): number => position % Math.max(metas.length, 1);
  const withMeta = (position: number, change: Partial<Meta>): Call => ({
    ...call,
    metas: metas.map((meta, index) => (index === at(position) ? { ...meta, ...change } : meta)),
  });
  switch (alteration.is) {
    case 'substitute': {
      const [name, key] = pool[alteration.by % pool.length]!;
      return [withMeta(alteration.account, { key }), `account ${at(alteration.account)} is ${name}`];
    }
    case 'near miss': {
      const right = metas[at(alteration.account)];
      const what = `account ${at(alteration.account)} is a copy at an address that differs in byte ${alteration.byte}`;
      if (right === undefined) return [call, what];
      return [withMeta(alteration.account, { key: nearMiss(right.key, alteration.byte) }), what];
    }
    case 'duplicate': {
      const of = metas[at(alteration.of)];
      const what = `account ${at(alteration.account)} is account ${at(alteration.of)} again`;
      return [of === undefined ? call : withMeta(alteration.account, { key: of.key }), what];
    }
    case 'signer':
      return [
        withMeta(alteration.account, { isSigner: alteration.on }),
        `account ${at(alteration.account)} ${alteration.on ? 'signs' : 'does not sign'}`,
      ];
    case 'writable':
      return [
        withMeta(alteration.account, { isWritable: alteration.on }),
        `account ${at(alteration.account)} is ${alteration.on ? 'writable' : 'read-only'}`,
      ];
    case 'fewer accounts':
      return [{ ...call, metas: metas.slice(0, alteration.left) }, `${alteration.left} accounts at most`];
    case 'more accounts': {
      const [name, key] = pool[alteration.by % pool.length]!;
      const added: Meta = { key, isSigner: false, isWritable: alteration.by % 2 === 1 };
      return [{ ...call, metas: [...metas, added] }, `${name} is one account more`];
    }
    case 'shorter data':
      return [{ ...call, data: data.slice(0, alteration.left) }, `${alteration.left} bytes of data at most`];
    case 'longer data':
      return [
        { ...call, data: Buffer.concat([data, alteration.bytes]) },
        `${alteration.bytes.length} bytes of data more`,
      ];
    case 'other byte': {
      const index = alteration.at % Math.max(data.length, 1);
      const changed = data.map((byte, position) => (position === index ? byte ^ alteration.flip : byte));
      return [{ ...call, data: changed }, `byte ${index} of the data with ${alteration.flip} flipped`];
    }
    case 'other deployment':
      return [
        { program: OTHER_DEPLOYMENT, metas, data },
        `the program is another deployment than ${program.hex.slice(0, 8)}`,
      ];
  }
}
