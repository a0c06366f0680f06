/** Packs the crates and builds what was packed. The interface is on crates.io only when it is published. */
export const PACK_CRATES = [
  'cargo package --locked --quiet --allow-dirty --package curvekit-interface',
  `cd crates && cargo package --locked --quiet --allow-dirty --config 'patch.crates-io.curvekit-interface.path="../programs/interface"'`,
];
