import { CurvekitError } from '@curvekit/sdk';

/** The kinds of cluster that `startLocalCluster` offers. */
export type ClusterKind = 'surfpool' | 'validator' | 'rpc';

/** A cluster could not be started or prepared. The message says what is missing and how to get it. */
export class ClusterStartError extends CurvekitError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ClusterStartError';
  }
}

/** This kind of cluster does not support the operation. */
export class UnsupportedByClusterError extends CurvekitError {
  constructor(
    readonly operation: string,
    readonly kind: ClusterKind,
  ) {
    super(
      `${operation} needs the surfpool cluster; this one is of kind ${kind}. Start it with backend 'surfpool'`,
    );
    this.name = 'UnsupportedByClusterError';
  }
}

/** A cluster did not answer a request, or answered with an error. */
export class ClusterRequestError extends CurvekitError {
  constructor(
    readonly method: string,
    readonly url: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${method} at ${url}: ${problem}`, options);
    this.name = 'ClusterRequestError';
  }
}

/** The Metaplex Token Metadata binary could not be found or fetched. The message lists every tried source. */
export class MetaplexUnavailableError extends CurvekitError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MetaplexUnavailableError';
  }
}

/** The AMM's binary could not be found or fetched. The message lists every tried source. */
export class AmmUnavailableError extends CurvekitError {
  /** Whether the problem is the file that the environment names. */
  readonly isNamedFile: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isNamedFile?: boolean } = {}) {
    super(message, options);
    this.name = 'AmmUnavailableError';
    this.isNamedFile = options.isNamedFile === true;
  }
}
