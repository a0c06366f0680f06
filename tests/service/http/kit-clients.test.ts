// The clients of the HTTP APIs and the launch tools over @solana/kit, on the real service.
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { InvalidArgumentError } from '@curvekit/sdk';
import { issueKey } from '#app/partners/keys.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { KIT_MAJORS, kitHttp, kitLaunchpad, type KitHttp } from '#tests/kit/kit-entry.js';
import { rejection } from '#tests/mocha/failures.js';
import { startPartnerService, type PartnerService } from '#tests/service/partner-service.js';
import { ledgerProblems, reward, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';

describe('the clients of the HTTP APIs over Kit', function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let scene: RewardsScene;
  let partners: PartnerService;

  before('start the services', async () => {
    scene = await startRewardsScene(cluster());
    partners = await startPartnerService({ database: scene.database, cluster: cluster() });
  });
  after(async () => {
    await partners?.close();
    await scene?.stop();
  });

  async function rewarded(asset: 'SOL' | 'TOKEN', amount: bigint): Promise<KeyPairSigner> {
    const { publicKey, secretKey } = Keypair.generate();
    await reward(scene.database, publicKey, scene.mint, asset, amount);
    return createKeyPairSignerFromBytes(secretKey);
  }

  /** The same wallet, as one that may change what it signs. */
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

  for (const major of KIT_MAJORS) {
    describe(`with ${major}`, () => {
      let kit: KitHttp;
      let client: InstanceType<KitHttp['RewardsClient']>;
      before(async () => {
        kit = await kitHttp(major);
        client = new kit.RewardsClient({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
      });

      const options = () => ({
        rpc: createSolanaRpc(cluster().rpcUrl),
        pollMs: 20,
        onProgress: ({ stage }: { stage: string }) => void (stage === 'submitted' && finalize(cluster())),
      });
      const ofSol = () => ({ tokenAddress: scene.mint, claimType: 'SOL' }) as const;

      it('claim SOL with a signer, and with one that may change what it signs', async () => {
        for (const wallet of [await rewarded('SOL', SOL), modifying(await rewarded('SOL', SOL))]) {
          const [entry] = await client.rewards(wallet);
          expect(entry?.unclaimedRewards.sol).to.equal(SOL);
          const { signature, amount } = await client.claim(wallet, ofSol(), options());
          expect(amount).to.equal(SOL - 10_000n);
          expect(await lamportsOf(cluster().connection, new PublicKey(wallet.address))).to.equal(amount);
          expect((await client.status(signature)).status).to.equal('COMPLETED');
        }
        expect(await ledgerProblems(scene.database)).to.deep.equal([]);
      });

      it('claim tokens to burn them', async () => {
        const wallet = await rewarded('TOKEN', 5n);
        const request = { tokenAddress: scene.mint, claimType: 'TOKEN', burnToken: true } as const;
        expect((await client.claim(wallet, request, options())).amount).to.equal(5n);
      });

      it('resume a signed claim, and give the transaction of one that is not signed', async () => {
        const wallet = await rewarded('SOL', SOL);
        const { signature, transaction } = await client.initiate(wallet, ofSol());
        expect(transaction.signatures[wallet.address]).to.equal(null);
        const other = await rewarded('SOL', SOL);
        const stopping = new AbortController();
        let kept: Parameters<typeof client.follow>[0] | undefined;
        const claim = client.claim(other, ofSol(), {
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
        await client.follow(kept!, options());
        expect((await client.status(kept!.signature)).status).to.equal('COMPLETED');
        expect((await client.status(signature)).status).to.equal('IN_PROGRESS');
      });

      it('send no transaction that the wallet has changed, and refuse a message that it has changed', async () => {
        const own = await rewarded('SOL', SOL);
        const wallet = modifying(own);
        const liar = {
          ...wallet,
          modifyAndSignTransactions: async (list: Parameters<typeof own.signTransactions>[0]) => {
            const messageBytes = Uint8Array.from(list[0]!.messageBytes);
            messageBytes[messageBytes.length - 8]! ^= 1;
            return wallet.modifyAndSignTransactions([{ ...list[0]!, messageBytes } as never]);
          },
        };
        const before = await lamportsOf(cluster().connection, new PublicKey(own.address));
        await rejection(client.claim(liar as never, ofSol(), options()), kit.ChangedTransactionError);
        expect(await lamportsOf(cluster().connection, new PublicKey(own.address))).to.equal(before);
        const changes = {
          ...wallet,
          modifyAndSignMessages: () =>
            wallet.modifyAndSignMessages([{ content: new Uint8Array([1]), signatures: {} }] as never),
        };
        await rejection(client.rewards(changes as never), kit.MessageNotSignedError);
      });

      it('name what is not a signer, an address or an option', async () => {
        const wallet = await rewarded('SOL', SOL);
        const argument = async (work: Promise<unknown>) => {
          const error = await work.catch((caught: unknown) => caught);
          expect((error as Error).name).to.equal('InvalidArgumentError');
          return (error as InvalidArgumentError).argument;
        };
        const bare = { address: wallet.address };
        expect(await argument(client.rewards(bare as never))).to.equal('wallet');
        expect(await argument(client.rewards(undefined as never))).to.equal('wallet');
        expect(await argument(client.rewardsOf(wallet, 'abc'))).to.equal('tokenAddress');
        const wrong = { ...options(), connection: {} };
        expect(await argument(client.claim(wallet, ofSol(), wrong))).to.equal('connection');
        expect(await argument(client.claim(wallet, ofSol(), {} as never))).to.equal('rpc');
      });

      it('register users and read them with their addresses', async () => {
        const { key: apiKey } = await issueKey(partners.keys, {
          partner: `Kit ${KIT_MAJORS.indexOf(major)}`,
          payoutWallet: Keypair.generate().publicKey.toBase58(),
        });
        const partner = new kit.PartnerClient({ baseUrl: partners.url, apiKey });
        const user = await generateKeyPairSigner();
        await partner.registerUser(user);
        const again = await partner.registerUser(user).catch((error: unknown) => error);
        expect((again as { code: string }).code).to.equal('ALREADY_REGISTERED');
        const { users } = await partner.users();
        expect(users.map(({ publicKey }) => publicKey)).to.deep.equal([user.address]);
        expect(users[0]!.registeredAt).to.be.an.instanceOf(Date);
        for await (const { publicKey } of partner.allUsers()) expect(publicKey).to.equal(user.address);
        expect((await partner.stats()).users).to.equal(1n);
      });

      it('find a vanity mint whose key signs', async () => {
        const { mint } = await kit.findVanityMint({ suffix: 'z' });
        expect(mint.address.at(-1)).to.equal('z');
        expect(await mint.signMessages([{ content: new Uint8Array([1]), signatures: {} }])).to.have.length(1);
      });

      it('are part of a launchpad that is known by its URL', async () => {
        const launchpad = await (await kitLaunchpad(major)).connectLaunchpad(scene.service.url);
        const [entry] = await launchpad.rewards.rewards(await rewarded('SOL', SOL));
        expect(entry?.unclaimedRewards.sol).to.equal(SOL);
        expect(() => launchpad.partner('no key')).to.throw('apiKey');
      });
    });
  }
});
