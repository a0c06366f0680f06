import { defineConfig } from 'tsup';

/** Bundled CommonJS packages load Node's modules with `require`. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

// Bundle all dependencies, so that it starts fast and installs nothing else.
export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  tsconfig: '../tsconfig.json',
  noExternal: [/.*/],
  // What only `mcp` needs is loaded by it alone.
  splitting: true,
  dts: false,
  treeshake: false,
  banner: { js: REQUIRE },
});
