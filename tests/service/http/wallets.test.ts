// The clients of the HTTP APIs with the wallets of each library, on the real service.
import { createKeyPairSignerFromBytes, createSolanaRpc, type KeyPairSigner } from '@solana/kit';
import { PublicKey, type Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { adapterWallet, keypairWallet } from '@curvekit/sdk';
import {
  ChangedTransactionError,
  OtherMessageSignedError,
  RewardsClient,
  type ClaimingWallet,
  type ClaimOptions,
  type SignedClaim,
} from '@curvekit/sdk/rewards';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { KIT_MAJORS, kitEntry, type KitEntry } from '#tests/kit/kit-entry.js';
import { rejection } from '#tests/mocha/failures.js';
import { startPartnerService, type PartnerService } from '#tests/service/partner-service.js';
import { useRewardsScene } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';

function modifying({ address, signMessages, signTransactions }: KeyPairSigner) {
  return {
    address,
    modifyAndSignMessages: async (messages: Parameters<typeof signMessages>[0]) => {
      const all = await signMessages(messages);
      return messages.map((message, index) => ({ ...message, signatures: all[index]! }));
    },
    modifyAndSignTransactions: async (transactions: Parameters<typeof signTransactions>[0]) => {
      const all = await signTransactions(transactions);
      return transactions.map((transaction, index) => ({
        ...transaction,
        signatures: { ...transaction.signatures, ...all[index] },
      }));
    },
  };
}

/** The methods of a wallet adapter, which need their `this`. */
class Adapter {
  constructor(private readonly keypair: Keypair) {}

  get publicKey() {
    return this.keypair.publicKey;
  }

  signMessage(message: Uint8Array) {
    return keypairWallet(this.keypair).signMessage(message);
  }

  signTransaction(transaction: VersionedTransaction) {
    transaction.sign([this.keypair]);
    return Promise.resolve(transaction);
  }
}

describe('the clients of the HTTP APIs', () => {
  const cluster = useCluster();
  const scene = useRewardsScene(cluster);
  const kits = new Map<string, KitEntry>();
  let partners: PartnerService;
  let client: RewardsClient;

  before('start the services', async () => {
    partners = await startPartnerService({ database: scene.database, cluster: cluster() });
    client = new RewardsClient({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
    for (const major of KIT_MAJORS) kits.set(major, await kitEntry(major));
  });
  after(() => partners?.close());

  const signerOf = ({ secretKey }: Keypair) => createKeyPairSignerFromBytes(secretKey);
  const ofSol = () => ({ tokenAddress: scene.mint, claimType: 'SOL' }) as const;
  const balanceOf = ({ address }: { address: string }) =>
    lamportsOf(cluster().connection, new PublicKey(address));
  const following = {
    pollMs: 20,
    onProgress: ({ stage }: { stage: string }) => void (stage === 'submitted' && finalize(cluster())),
  };
  const overWeb3 = (): ClaimOptions => ({ connection: cluster().connection, ...following });
  const overKit = (): ClaimOptions => ({ rpc: createSolanaRpc(cluster().rpcUrl), ...following });

  /** How a user of each library makes a wallet, and names a node. */
  const flavours: Record<
    string,
    readonly [(keypair: Keypair) => Promise<ClaimingWallet> | ClaimingWallet, () => ClaimOptions]
  > = {
    'a Keypair': [(keypair) => keypairWallet(keypair), overWeb3],
    'a wallet adapter': [(keypair) => adapterWallet(new Adapter(keypair)), overWeb3],
    'a wallet of the Wallet Standard': [
      (keypair) => ({ ...keypairWallet(keypair), address: keypair.publicKey.toBase58() }),
      overKit,
    ],
  };
  for (const major of KIT_MAJORS) {
    flavours[`a signer of ${major}`] = [
      async (keypair) => kits.get(major)!.signerWallet(await signerOf(keypair)),
      overKit,
    ];
    flavours[`a modifying signer of ${major}`] = [
      async (keypair) => kits.get(major)!.signerWallet(modifying(await signerOf(keypair))),
      overKit,
    ];
  }

  for (const [name, [walletOf, node]] of Object.entries(flavours))
    it(`claim SOL, and tokens to burn, with ${name}`, async () => {
      const wallet = await walletOf(await scene.rewarded('SOL', SOL));
      const [entry] = await client.rewards(wallet);
      expect(entry?.unclaimedRewards.sol).to.equal(SOL);
      const { signature, amount } = await client.claim(wallet, ofSol(), node());
      expect(amount).to.equal(SOL - 10_000n);
      expect(await balanceOf(wallet)).to.equal(amount);
      expect((await client.status(signature)).status).to.equal('COMPLETED');
      const burning = await walletOf(await scene.rewarded('TOKEN', 5n));
      const request = { tokenAddress: scene.mint, claimType: 'TOKEN', burnToken: true } as const;
      expect((await client.claim(burning, request, node())).amount).to.equal(5n);
    });

  it('resume a signed claim over Kit', async () => {
    const stopping = new AbortController();
    let kept: SignedClaim | undefined;
    const claim = client.claim(keypairWallet(await scene.rewarded('SOL', SOL)), ofSol(), {
      // Nothing is sent.
      rpc: createSolanaRpc('http://127.0.0.1:9'),
      signal: stopping.signal,
      onProgress: (progress) => {
        if (progress.stage !== 'signed') return;
        kept = { signature: progress.signature, transaction: progress.transaction };
        stopping.abort(new Error('the program ends'));
      },
    });
    await rejection(claim, Error);
    await client.follow(kept!, overKit());
    expect((await client.status(kept!.signature)).status).to.equal('COMPLETED');
  });

  for (const major of KIT_MAJORS)
    it(`send no transaction and no signature of a message that a signer of ${major} has changed`, async () => {
      const { signerWallet, MessageNotSignedError } = kits.get(major)!;
      const own = await signerOf(await scene.rewarded('SOL', SOL));
      const wallet = modifying(own);
      const liar = {
        ...wallet,
        modifyAndSignTransactions: async (list: Parameters<typeof own.signTransactions>[0]) => {
          const messageBytes = Uint8Array.from(list[0]!.messageBytes);
          messageBytes[messageBytes.length - 8]! ^= 1;
          return wallet.modifyAndSignTransactions([{ ...list[0]!, messageBytes } as never]);
        },
      };
      const claim = client.claim(signerWallet(liar), ofSol(), overKit());
      expect((await claim.catch((error: unknown) => error)) as Error).to.be.instanceOf(
        ChangedTransactionError,
      );
      expect(await balanceOf(own)).to.equal(0n);
      const changes = {
        ...wallet,
        modifyAndSignMessages: () =>
          wallet.modifyAndSignMessages([{ content: new Uint8Array([1]), signatures: {} }] as never),
      };
      await rejection(client.rewards(signerWallet(changes as never)), OtherMessageSignedError);
      const silent = { ...own, signMessages: () => Promise.resolve([{}]) };
      await rejection(client.rewards(signerWallet(silent)), MessageNotSignedError);
    });

  it('name what is not a wallet, an address or an option', async () => {
    const keypair = await scene.rewarded('SOL', SOL);
    const wallet = keypairWallet(keypair);
    const { address } = wallet;
    const signMessage = (message: Uint8Array) => wallet.signMessage(message);
    const { signerWallet } = kits.get(KIT_MAJORS[0])!;
    const wrong: readonly (readonly [work: () => unknown, message: string])[] = [
      [() => client.rewards({ address } as never), 'wallet must have address and signMessage;'],
      [() => client.rewards(keypair as never), 'keypairWallet(keypair)'],
      [
        () => client.claim({ address, signMessage } as never, ofSol(), overWeb3()),
        'wallet must have address and signMessage and signTransaction;',
      ],
      [
        () => client.rewards({ ...wallet, address: 'abc' }),
        'wallet.address is "abc"; give an address, 32 bytes in base58',
      ],
      [
        () => client.claim(wallet, ofSol(), { ...overWeb3(), ...overKit() }),
        'options must have connection (of web3.js) or rpc (of Kit)',
      ],
      [
        () => adapterWallet({ publicKey: null, signMessage }),
        'adapter.publicKey is null; connect the wallet first',
      ],
      [() => adapterWallet({ publicKey: keypair.publicKey }), 'adapter must have publicKey and signMessage'],
      [() => signerWallet({ address } as never), 'signer must be a MessagePartialSigner'],
    ];
    for (const [work, message] of wrong) {
      const { name, message: said } = await rejection(Promise.resolve().then(work), Error);
      expect([name, said].join(': '))
        .to.include(message)
        .and.match(/^InvalidArgumentError/);
    }
  });
});
