// What `curvekit … --propose` and `curvekit upgrade` print for a multisig: signed as it stands, it does what it says. threat: false-proposal
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { fetchProperties } from '@curvekit/sdk';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { useCli } from '#tests/service/cli-cluster.js';
import { keyVariable } from '#tests/service/service-context.js';

interface Printed {
  readonly proposal: {
    readonly authority: string;
    readonly transaction: string;
    readonly instructions: readonly {
      readonly programId: string;
      readonly accounts: readonly { readonly address: string; readonly isSigner: boolean }[];
      readonly data: string;
    }[];
  };
}

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
/** Of a program's data account. */
const HEADER_BYTES = 45;
const SET = ['properties', 'set'];
const SWEEP = ['fees', 'sweep', '--propose'];

describe('curvekit for a multisig', () => {
  const { cluster, cli } = useCli();

  /** Signs what was printed, as the multisig would. */
  async function carryOut({ proposal: { transaction } }: Printed, signer = cluster().admin): Promise<void> {
    const signed = VersionedTransaction.deserialize(bs58.decode(transaction));
    signed.sign([signer]);
    await cluster().sendSigned(signed);
  }
  const fee = async () => {
    const { connection, deployment } = cluster();
    return (await fetchProperties(connection, { deployment }))?.platformFeeBps;
  };

  it('prints a change of the properties, which changes nothing until it is signed', async () => {
    const { exitCode, out } = await cli().run([...SET, '--fee-bps', '77', '--propose']);
    expect(exitCode).to.equal(0);
    expect(out)
      .to.match(/platform fee +1 % +0\.77 %/)
      .and.to.contain(`must sign  ${cluster().admin.publicKey.toBase58()}`)
      .and.to.contain('Nothing was signed or sent.');
    const printed = await cli().json<Printed>([...SET, '--fee-bps', '77', '--propose']);
    expect(await fee()).to.equal(100);
    const [instruction, ...others] = printed.proposal.instructions;
    expect(others).to.deep.equal([]);
    expect(instruction!.programId).to.equal(cluster().programId.toBase58());
    expect(
      instruction!.accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address),
    ).to.deep.equal([cluster().admin.publicKey.toBase58()]);
    await carryOut(printed);
    expect(await fee()).to.equal(77);
  });

  it('prints a sweep of the fees', async () => {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, await cluster().fundedWallet(), 5_000_000_000n);
    const { treasury } = cluster().deployment.graduation;
    const before = await lamportsOf(cluster().connection, treasury);
    const printed = await cli().json<Printed & { treasury: string; held: string }>(SWEEP);
    expect(printed.treasury).to.equal(treasury.toBase58());
    await carryOut(printed);
    const swept = (await lamportsOf(cluster().connection, treasury)) - before;
    expect(swept > 1_000_000n, String(swept)).to.equal(true);
    expect(BigInt(printed.held)).to.equal(swept);
  });

  it('refuses what the program would refuse: another admin', async () => {
    const stranger = (await cluster().fundedWallet()).publicKey.toBase58();
    const { exitCode, err } = await cli().run([...SET, '--fee-bps', '77', '--propose'], {
      ADMIN_ADDRESS: stranger,
    });
    expect(exitCode).to.equal(1);
    expect(err).to.contain(
      `${stranger} is not the program's admin, which is ${cluster().admin.publicKey.toBase58()}`,
    );
  });

  it('needs the key of the admin or --propose, not both', async () => {
    for (const command of [
      [...SET, '--fee-bps', '1'],
      ['fees', 'sweep'],
    ]) {
      const neither = await cli().run(command);
      expect([neither.exitCode, neither.err]).to.satisfy(
        ([code, err]: [number, string]) => code === 2 && err.includes("give '--admin <key>', or '--propose'"),
      );
      const both = await cli().run([...command, '--propose', '--admin', keyVariable(cluster().admin)]);
      expect(both.exitCode).to.equal(2);
    }
  });

  it('prints an upgrade from a buffer, with the hash of the binary, and upgrades when it is signed', async () => {
    const authority = await cluster().fundedWallet();
    await giveProgramTo(authority.publicKey);
    const binary = readFileSync('programs/artifacts/bonding_curve_key_held.so');
    const buffer = await bufferOf(authority.publicKey, binary);
    const printed = await cli().json<Printed & Record<string, unknown>>(['upgrade', '--buffer', buffer]);
    expect(printed).to.deep.include({
      buffer,
      bytes: binary.length,
      sha256: createHash('sha256').update(binary).digest('hex'),
    });
    expect(printed.proposal.authority).to.equal(authority.publicKey.toBase58());
    await carryOut(printed, authority);
    const { data } = (await cluster().connection.getAccountInfo(programData()))!;
    expect(data.subarray(HEADER_BYTES, HEADER_BYTES + binary.length).equals(binary)).to.equal(true);
  });

  it('refuses an upgrade that could not be carried out, and says what to do', async () => {
    const [authority, other] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    await giveProgramTo(authority);
    const foreign = await bufferOf(other, Buffer.from('binary'));
    const fails = async (args: readonly string[], message: string): Promise<void> => {
      const { exitCode, err } = await cli().run(['upgrade', ...args]);
      expect([exitCode, err]).to.satisfy(
        ([code, text]: [number, string]) => code === 1 && text.includes(message),
        err,
      );
    };
    await fails(
      ['--buffer', foreign],
      `the buffer's authority is ${other.toBase58()}, and the program's is ${authority.toBase58()}; run \`solana program set-buffer-authority`,
    );
    await fails(
      ['--buffer', other.toBase58()],
      'is no buffer; make one with `solana program write-buffer FILE`',
    );
    await fails(['--buffer', foreign, '--program', other.toBase58()], 'there is no program at');
    await giveProgramTo(undefined);
    await fails(['--buffer', foreign], 'is final: nobody can upgrade it');
  });

  const programData = () => PublicKey.findProgramAddressSync([cluster().programId.toBuffer()], LOADER)[0];

  /** Changes the upgrade authority of the curve's program, without a transaction. */
  async function giveProgramTo(authority: PublicKey | undefined): Promise<void> {
    const { data } = (await cluster().connection.getAccountInfo(programData()))!;
    const owner = authority === undefined ? Buffer.alloc(33) : Buffer.from([1, ...authority.toBytes()]);
    const changed = Buffer.concat([data.subarray(0, HEADER_BYTES - 33), owner, data.subarray(HEADER_BYTES)]);
    await cluster().setAccount(programData(), { data: changed });
  }

  /** @returns its address */
  async function bufferOf(authority: PublicKey, binary: Uint8Array): Promise<string> {
    const address = Keypair.generate().publicKey;
    const data = Buffer.concat([Buffer.from([1, 0, 0, 0, 1]), authority.toBytes(), binary]);
    await cluster().setAccount(address, { data, owner: LOADER, lamports: 10_000_000_000n });
    return address.toBase58();
  }
});
