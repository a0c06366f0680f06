import type { BuildOptions } from 'esbuild';

export declare function bundleOptions(entry: string, outdir: string): BuildOptions;
export declare function buildService(): Promise<void>;
