// Errors of a trade or a launch, with the amounts.
import type { Deployment } from '../accounts/deployment.js';
import type { PublicKey } from '../chain/types.js';
import { formatSol, formatTokens } from '../curve/price.js';
import { CurvekitError, ProgramError, TransactionError } from '../errors/index.js';

export { ChangedTransactionError } from '../transactions/changed-transaction.js';

/** The lamports that a transaction needs from a wallet. */
export interface SolCosts {
  /** The traded amount, and the tip. */
  readonly amount: bigint;
  /** Rent of new accounts, and the cost of creating them. */
  readonly rent: bigint;
  /** Network fee, priority fee included. */
  readonly fees: bigint;
  /** Lamports that must stay in the wallet: its balance must be zero or at least the rent exemption. */
  readonly kept: bigint;
}

/** The wallet has less SOL than the transaction needs. Nothing was signed. */
export class InsufficientSolError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'InsufficientSolError';
  /** Lamports. */
  readonly needed: bigint;

  constructor(
    readonly wallet: PublicKey,
    readonly costs: SolCosts,
    /** The wallet's lamports. */
    readonly available: bigint,
  ) {
    const needed = costs.amount + costs.rent + costs.fees + costs.kept;
    super(`wallet ${wallet.toBase58()} needs ${costsText(needed, costs)}; has ${formatSol(available)}`);
    this.needed = needed;
  }
}

/** What the wallet would lose, and what the order allows. */
export interface ExcessiveLoss<Key> {
  readonly wallet: Key;
  /** The program that the transaction calls. */
  readonly programId: Key;
  readonly asset: 'SOL' | 'tokens' | 'control of the wallet' | 'control of its token account';
  /** Lamports or token units that the transaction takes from the wallet. Below 0: that it pays. 0 for control. */
  readonly takes: bigint;
  /** The most that the order allows, network fee and rent included. Below 0: the least that it must pay. */
  readonly allowed: bigint;
}

/** The simulated transaction takes more from the wallet than the order says. Nothing was signed. */
export class ExcessiveLossError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ExcessiveLossError';
  readonly wallet: PublicKey;
  readonly programId: PublicKey;
  readonly asset: ExcessiveLoss<PublicKey>['asset'];
  readonly takes: bigint;
  readonly allowed: bigint;

  constructor({ wallet, programId, asset, takes, allowed }: ExcessiveLoss<PublicKey>) {
    super(
      `the transaction ${lossText(asset, takes)} wallet ${wallet.toBase58()}; ${allowedText(asset, allowed)}. Nothing was signed. Program ${programId.toBase58()} does not do what was ordered: check the launchpad's URL, and pin its program with connectLaunchpad(url, { programId }); your own instructions may take extraLamports`,
    );
    this.wallet = wallet;
    this.programId = programId;
    this.asset = asset;
    this.takes = takes;
    this.allowed = allowed;
  }
}

/** The wallet has fewer tokens than it wants to sell. Nothing was signed. */
export class InsufficientTokensError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'InsufficientTokensError';
  constructor(
    readonly wallet: PublicKey,
    readonly mint: PublicKey,
    /** Token units. */
    readonly needed: bigint,
    /** The wallet's token units. */
    readonly available: bigint,
  ) {
    super(
      `wallet ${wallet.toBase58()} needs ${formatTokens(needed)} tokens of ${mint.toBase58()}; has ${formatTokens(available)}`,
    );
  }
}

/** The wallet has no account for the token that it wants to sell. Nothing was signed. */
export class NoTokenAccountError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'NoTokenAccountError';
  constructor(
    readonly wallet: PublicKey,
    readonly mint: PublicKey,
    /** The address of the missing account. */
    readonly address: PublicKey,
  ) {
    super(
      `wallet ${wallet.toBase58()} has no token account ${address.toBase58()} for ${mint.toBase58()}, so it has nothing to sell; buy first, use the wallet that holds the tokens, or move them there from another account`,
    );
  }
}

/** The RPC node's cluster does not have the launchpad. Nothing was signed. */
export class WrongClusterError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'WrongClusterError';
  constructor(
    readonly programId: PublicKey,
    /** Host of the RPC node. */
    readonly host: string,
  ) {
    super(
      `program ${programId.toBase58()} has no properties on the cluster of ${host}; use an RPC node of the launchpad's cluster, or pass its deployment`,
    );
  }
}

/**
 * `WrongFeeReceiver` (6004) of a simulation: the deployment is not the one that the program was built with. Nothing was
 * signed.
 */
export class WrongDeploymentError extends ProgramError {
  static override readonly '@curvekit/sdk/class': string = 'WrongDeploymentError';
  /** The fee receiver of the given deployment. */
  readonly given: PublicKey;

  constructor(
    { programId, feeReceiver: given }: Pick<Deployment, 'programId' | 'feeReceiver'>,
    /** The program's fee receiver. Undefined when it is neither the graduation program's nor the development key. */
    readonly feeReceiver: PublicKey | undefined,
    cause: TransactionError,
  ) {
    const right = feeReceiver === undefined ? 'another address' : feeReceiver.toBase58();
    const use =
      feeReceiver === undefined
        ? 'the deployment that connectLaunchpad(url) of @curvekit/sdk/launchpad reads from its service'
        : `createDeployment with feeReceiver ${right}, or connectLaunchpad(url) of @curvekit/sdk/launchpad`;
    super(6004, {
      ...{ logs: cause.logs, instruction: cause.instruction, cause, argument: 'deployment' },
      explanation: `the fee receiver of program ${programId.toBase58()} is ${right}, you gave ${given.toBase58()}; use ${use}`,
    });
    this.given = given;
  }
}

/** The outcome of an earlier transaction is not known yet. Nothing was signed or sent. */
export class UnfinishedTransactionError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UnfinishedTransactionError';
  constructor(
    /** Signature of the earlier transaction. */
    readonly signature: string,
  ) {
    super(
      `the outcome of the earlier transaction ${signature} is not known; call lookUpRemembered until it is, then trade again`,
    );
  }
}

/** The RPC node refused a transaction because it does not know the blockhash. Nothing was sent. */
export class BlockhashExpiredError extends TransactionError {
  static override readonly '@curvekit/sdk/class': string = 'BlockhashExpiredError';
  constructor(signature: string, cause: unknown) {
    super(
      'BlockhashNotFound',
      `transaction ${signature} was not sent: its blockhash, valid for about a minute, has expired while the wallet signed, its nonce has advanced, or the node is behind or of another cluster; call again and sign sooner`,
      { signature, cause },
    );
  }
}

function lossText(asset: ExcessiveLoss<PublicKey>['asset'], takes: bigint): string {
  if (asset !== 'SOL' && asset !== 'tokens') return `takes ${asset} from`;
  return takes < 0n ? `pays only ${amountText(asset, -takes)} to` : `takes ${amountText(asset, takes)} from`;
}

function allowedText(asset: ExcessiveLoss<PublicKey>['asset'], allowed: bigint): string {
  if (asset !== 'SOL' && asset !== 'tokens') return 'the order allows no such change';
  return allowed < 0n
    ? `the order says that it pays at least ${amountText(asset, -allowed)}`
    : `the order allows at most ${amountText(asset, allowed)}`;
}

function amountText(asset: 'SOL' | 'tokens', amount: bigint): string {
  return `${asset === 'SOL' ? formatSol(amount) : formatTokens(amount)} ${asset}`;
}

/** `1.0031 SOL: 1 + 0.00204 rent + 0.00106 fees`, without the parts that are 0. */
function costsText(needed: bigint, { amount, rent, fees, kept }: SolCosts): string {
  const parts: [bigint, string][] = [
    [amount, ''],
    [rent, ' rent'],
    [fees, ' fees'],
    [kept, ' that must stay in the wallet'],
  ];
  const text = parts.flatMap(([lamports, name]) => (lamports === 0n ? [] : [formatSol(lamports) + name]));
  return `${formatSol(needed)} SOL: ${text.join(' + ')}`;
}
