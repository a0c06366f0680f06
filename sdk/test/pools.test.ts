// Decoding a pool's accounts and swaps. tests/graduation/trade.test.ts trades with pools.
import { PublicKey, SystemProgram, type AccountInfo } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM } from '../src/amm/index.js';
import { encodeBase58 } from '../src/encoding/base58.js';
import { UnexpectedAccountError } from '../src/errors/index.js';
import { NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../src/generated/program.js';
import type { ConfirmedTransaction } from '../src/records/transaction.js';

const [mint, payer] = [new PublicKey(new Uint8Array(32).fill(3)), new PublicKey(new Uint8Array(32).fill(4))];
const POOL_ADDRESS = new PublicKey(new Uint8Array(32).fill(7));
const addresses = AMM.addresses(POOL_ADDRESS, mint);
const [OTHER] = PublicKey.findProgramAddressSync([], AMM.programId);
const POOL_BYTES = 637;
const CONFIG_BYTES = 236;
const mintFirst = Buffer.compare(mint.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;

type Account = AccountInfo<Uint8Array> | null;

function account(data: Uint8Array, owner = AMM.programId): AccountInfo<Uint8Array> {
  return { data, owner, lamports: 1_000_000, executable: false };
}

/** The accounts of a pool with 1,000 lamports and 2,000 units. Of these 111 and 222 are unpaid fees. */
function poolAccounts(change: (pool: Buffer, config: Buffer) => void = () => undefined): Account[] {
  const inOrder = <T>(sol: T, token: T): [T, T] => (mintFirst ? [token, sol] : [sol, token]);
  const pool = Buffer.alloc(POOL_BYTES);
  pool.set([247, 237, 227, 245, 215, 195, 222, 70]);
  addresses.config.toBuffer().copy(pool, 8);
  inOrder(addresses.vaults.sol, addresses.vaults.token).forEach((key, at) =>
    key.toBuffer().copy(pool, 72 + 32 * at),
  );
  inOrder(NATIVE_MINT_ADDRESS, mint).forEach((key, at) => key.toBuffer().copy(pool, 168 + 32 * at));
  for (const [offset, sol] of [
    [341, 1n],
    [357, 10n],
    [397, 100n],
  ] as const) {
    inOrder(sol, 2n * sol).forEach((fee, at) => pool.writeBigUInt64LE(fee, offset + 8 * at));
  }
  pool.writeBigUInt64LE(1_800_000_000n, 373);
  const config = Buffer.alloc(CONFIG_BYTES);
  config.set([218, 244, 33, 104, 203, 203, 43, 111]);
  [2_500n, 120_000n, 40_000n].forEach((rate, at) => config.writeBigUInt64LE(rate, 12 + 8 * at));
  config.writeBigUInt64LE(5_000n, 108);
  change(pool, config);
  return [account(pool), account(config), vault(NATIVE_MINT_ADDRESS, 1_111n), vault(mint, 2_222n)];
}

function vault(of: PublicKey, amount: bigint, owner = addresses.authority): AccountInfo<Uint8Array> {
  const data = Buffer.alloc(165);
  of.toBuffer().copy(data);
  owner.toBuffer().copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  return account(data, TOKEN_PROGRAM_ADDRESS);
}

describe('the accounts of a pool', () => {
  it('are null when there is no pool, and when its address holds only lamports', () => {
    const [, ...rest] = poolAccounts();
    expect(AMM.decode(addresses, [null, ...rest])).to.equal(null);
    expect(AMM.decode(addresses, [])).to.equal(null);
    expect(AMM.decode(addresses, [account(new Uint8Array(), SystemProgram.programId), ...rest])).to.equal(
      null,
    );
  });

  const [pool, config, sol, token] = poolAccounts() as AccountInfo<Uint8Array>[];
  const wrong: [what: string, at: PublicKey, accounts: Account[]][] = [
    ['a pool of another program', POOL_ADDRESS, [account(pool!.data, OTHER), config!, sol!, token!]],
    ['a pool a byte short', POOL_ADDRESS, [account(pool!.data.slice(1)), config!, sol!, token!]],
    ['a fee tier as the pool', POOL_ADDRESS, [config!, config!, sol!, token!]],
    ['a pool of another fee tier', POOL_ADDRESS, poolAccounts((data) => OTHER.toBuffer().copy(data, 8))],
    ['a pool with another vault', POOL_ADDRESS, poolAccounts((data) => OTHER.toBuffer().copy(data, 104))],
    ['a pool of another mint', POOL_ADDRESS, poolAccounts((data) => OTHER.toBuffer().copy(data, 168))],
    ['no fee tier', addresses.config, [pool!, null, sol!, token!]],
    ['no vault of SOL', addresses.vaults.sol, [pool!, config!, null, token!]],
    ['vaults the wrong way round', addresses.vaults.sol, [pool!, config!, token!, sol!]],
    ["another mint's vault", addresses.vaults.token, [pool!, config!, sol!, vault(mint, 5n, OTHER)]],
    [
      'a vault of another program',
      addresses.vaults.token,
      [pool!, config!, sol!, account(token!.data, OTHER)],
    ],
  ];
  for (const [what, at, accounts] of wrong) {
    it(`${what}: an UnexpectedAccountError that names the address`, () => {
      expect(() => AMM.decode(addresses, accounts))
        .to.throw(UnexpectedAccountError)
        .that.satisfies(({ address }: UnexpectedAccountError) => address.equals(at));
    });
  }
});

describe("a transaction that is made to keep a reader of a pool's swaps busy", () => {
  const signature = '1'.repeat(64);
  const LONG = encodeBase58(new Uint8Array(10_240).fill(255));

  /** 62 calls of the token program with 10 KiB each, around a call of the AMM for this pool with this data. */
  function busyTransaction(data: Uint8Array): ConfirmedTransaction {
    const accounts = [payer, addresses.authority, addresses.config, POOL_ADDRESS, mint, mint];
    const keys = [
      ...accounts,
      addresses.vaults.sol,
      addresses.vaults.token,
      AMM.programId,
      TOKEN_PROGRAM_ADDRESS,
    ];
    const [amm, token] = [keys.length - 2, keys.length - 1];
    const swap = { programIdIndex: amm, accounts: [0, 1, 2, 3, 4, 5, 6, 7], data: encodeBase58(data) };
    const call = { programIdIndex: token, accounts: [6, 7], data: LONG };
    return {
      slot: 1,
      transaction: { signatures: [signature], message: { accountKeys: keys, instructions: [swap] } },
      meta: {
        err: null,
        logMessages: [],
        innerInstructions: [{ index: 0, instructions: Array.from({ length: 62 }, () => call) }],
      },
    } as unknown as ConfirmedTransaction;
  }

  for (const [what, data] of [
    ['without a swap', new Uint8Array(24)],
    ['with a swap', Uint8Array.from([143, 190, 90, 218, 196, 30, 51, 222, ...new Uint8Array(16)])],
  ] as const) {
    it(`${what}: is read within milliseconds`, () => {
      const started = performance.now();
      expect(AMM.swaps(busyTransaction(data), { ...addresses, pool: POOL_ADDRESS })).to.deep.equal([]);
      // Decoding all calls took 210 ms and more.
      expect(performance.now() - started).to.be.below(50);
    });
  }
});
