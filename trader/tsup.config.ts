import { defineConfig } from 'tsup';

/** Packages that are not ES modules ask for Node's by this. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

// One file with its packages: it starts at once, and installing it installs nothing else.
export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  tsconfig: '../tsconfig.json',
  noExternal: [/.*/],
  splitting: false,
  dts: false,
  treeshake: false,
  banner: { js: REQUIRE },
});
