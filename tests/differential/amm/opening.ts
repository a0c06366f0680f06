// Opens a pool and adds liquidity to it, with calls of the AMM.
import {
  AMM,
  associatedTokenAddress,
  NATIVE_MINT_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type PoolAddresses,
} from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { canonicalPool, initialize, mintsInOrder } from '#tests/graduation/initialize.js';
import { callOf, keyOf, publicKeyOf, type Key } from '../call.js';
import type { Outcome, StoredAccount, Svm } from '../svm.js';
import {
  CONFIG_BYTES,
  CONFIG_DISCRIMINATOR,
  mintData,
  mintOf,
  named,
  RENT,
  TOKEN,
  tokensOf,
  u64,
} from './chain-pool.js';

const DEPOSIT = [242, 35, 198, 137, 82, 225, 242, 182];
const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const FEE_RECEIVER = new PublicKey('DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8');
const RICH = 10n ** 12n;
const NOBODY = new Uint8Array(32);

export interface Opening {
  /** The addresses are derived from it. */
  readonly seed: string;
  readonly tokenFirst: boolean;
  /** Opens it at the address that the AMM derives, instead of an address that signs. */
  readonly canonical: boolean;
  readonly amounts: readonly [bigint, bigint];
  readonly openTime: bigint;
  readonly createPoolFee: bigint;
  /** Lamports sent in advance to every address that is created. */
  readonly prefunded: bigint;
}

export interface Faults {
  readonly poolCreationDisabled?: boolean;
  /** The pool's address is not canonical and does not sign. */
  readonly unsigned?: boolean;
  readonly mintsSwapped?: boolean;
}

export class OpenedPool {
  readonly #addresses: PoolAddresses;
  readonly #mints: readonly [PublicKey, PublicKey];
  readonly #creator = keyOf(named('creator'));
  readonly #shares: PublicKey;

  constructor(
    private readonly svm: Svm,
    private readonly opening: Opening,
    private readonly faults: Faults = {},
  ) {
    const mint = mintOf(opening.seed, opening.tokenFirst);
    this.#mints = mintsInOrder(mint);
    const pool = opening.canonical ? canonicalPool(mint) : new PublicKey(named(`${opening.seed} pool`));
    this.#addresses = AMM.addresses(pool, mint);
    this.#shares = associatedTokenAddress(publicKeyOf(this.#creator), this.#addresses.liquidityMint).address;
    this.#write();
  }

  open(): Outcome {
    const { canonical, amounts, openTime } = this.opening;
    const { mintsSwapped = false, unsigned = false } = this.faults;
    const [first, second] = this.#mints;
    const call = initialize(this.#addresses, {
      creator: publicKeyOf(this.#creator),
      from: (mint) => publicKeyOf(this.#held(mint)),
      amounts,
      openTime,
      poolSigns: !canonical && !unsigned,
      mints: mintsSwapped ? [second, first] : [first, second],
    });
    return this.svm.send([callOf(call)], this.#creator);
  }

  deposit(shares: bigint, maximum: readonly [bigint, bigint]): Outcome {
    const { pool, authority, liquidityMint } = this.#addresses;
    const [mint0, mint1] = this.#mints;
    const keys: readonly (readonly [key: PublicKey, flags: string])[] = [
      [publicKeyOf(this.#creator), 's'],
      [authority, ''],
      [pool, 'w'],
      [this.#shares, 'w'],
      [publicKeyOf(this.#held(mint0)), 'w'],
      [publicKeyOf(this.#held(mint1)), 'w'],
      [this.#vault(mint0), 'w'],
      [this.#vault(mint1), 'w'],
      [TOKEN_PROGRAM_ADDRESS, ''],
      [TOKEN_2022, ''],
      [mint0, ''],
      [mint1, ''],
      [liquidityMint, 'w'],
    ];
    const metas = keys.map(([key, flags]) => ({
      key: keyOf(key),
      isSigner: flags.includes('s'),
      isWritable: flags.includes('w'),
    }));
    const data = Uint8Array.from([...DEPOSIT, ...u64(shares), ...maximum.flatMap(u64)]);
    return this.svm.send([{ program: keyOf(AMM.programId), metas, data }], this.#creator);
  }

  /** Every account that the calls touch, as text. */
  accounts(): Record<string, string> {
    const { pool, liquidityMint, observation, vaults } = this.#addresses;
    const all: Record<string, PublicKey> = {
      creator: publicKeyOf(this.#creator),
      pool,
      liquidityMint,
      observation,
      solVault: vaults.sol,
      tokenVault: vaults.token,
      shares: this.#shares,
      feeReceiver: FEE_RECEIVER,
      sol: publicKeyOf(this.#held(NATIVE_MINT_ADDRESS)),
      token: publicKeyOf(this.#held(this.#addresses.mint)),
    };
    return Object.fromEntries(
      Object.entries(all).map(([name, address]) => [name, show(this.svm.account(keyOf(address)))]),
    );
  }

  #vault(mint: PublicKey): PublicKey {
    return this.#addresses.vaults[mint.equals(NATIVE_MINT_ADDRESS) ? 'sol' : 'token'];
  }

  #held(mint: PublicKey): Key {
    return keyOf(named(`creator's ${mint.toBase58()}`));
  }

  #write(): void {
    const { opening, faults } = this;
    const set = (address: PublicKey, owner: Uint8Array, data: Uint8Array, lamports = RENT): void =>
      this.svm.setAccount(keyOf(address), { lamports, owner, data });
    set(publicKeyOf(this.#creator), NOBODY, new Uint8Array(), RICH);
    const { config, pool, liquidityMint, observation, vaults } = this.#addresses;
    for (const address of [pool, liquidityMint, observation, vaults.sol, vaults.token, this.#shares]) {
      set(address, NOBODY, new Uint8Array(), opening.prefunded);
    }
    const tier = Buffer.alloc(CONFIG_BYTES);
    tier.set([...CONFIG_DISCRIMINATOR, 255, faults.poolCreationDisabled === true ? 1 : 0]);
    tier.set([2_500n, 120_000n, 40_000n, opening.createPoolFee].flatMap(u64), 12);
    set(config, AMM.programId.toBytes(), tier);
    for (const mint of this.#mints) {
      set(mint, TOKEN, mintData(mint.equals(NATIVE_MINT_ADDRESS) ? 9 : 6));
      this.svm.setAccount(this.#held(mint), tokensOf(mint, this.#creator, 1n << 60n));
    }
    const fees = tokensOf(NATIVE_MINT_ADDRESS, keyOf(named('fee owner')), 1n << 60n);
    this.svm.setAccount(keyOf(FEE_RECEIVER), fees);
  }
}

function show(account: StoredAccount | undefined): string {
  if (account === undefined) return 'none';
  const { lamports, owner, data } = account;
  return `${lamports} ${new PublicKey(owner).toBase58()} ${Buffer.from(data).toString('hex')}`;
}
