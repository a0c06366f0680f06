import { npmBom } from './npm.js';
import { rustBom, RUST_WORKSPACES, type RustWorkspace } from './rust.js';
import type { Bom } from './bom.js';

export const RUST_WORKSPACE_NAMES = Object.keys(RUST_WORKSPACES) as RustWorkspace[];

/** The documents of all lockfiles, by file name. */
export function allBoms(): ReadonlyMap<string, Bom> {
  return new Map([
    ['npm.cdx.json', npmBom()],
    ...RUST_WORKSPACE_NAMES.map((name) => [`${name}.cdx.json`, rustBom(name)] as const),
  ]);
}
