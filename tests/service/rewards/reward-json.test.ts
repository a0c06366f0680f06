// The JSON text of rewards: it is built without floating-point numbers and must equal the SDK's formatting.
import { expect } from 'chai';
import { formatPrice, formatSol, formatTokens, SOL_DECIMALS, TOKEN_DECIMALS } from '@curvekit/sdk';
import { RewardJson, unitsText } from '#app/rewards/reward-json.js';
import type { RewardRow, TokenRow } from '#app/rewards/reward-queries.js';

const REWARD: RewardRow = {
  mint: 'mint',
  unclaimedSol: '0',
  unclaimedToken: '1500000',
  allSol: '1500000000',
  allToken: String(2n ** 64n + 1n),
};
const TOKEN: TokenRow = {
  mint: 'mint',
  name: 'A "name" \\ \u2028 \n 名',
  symbol: null,
  image: null,
  virtualSol: '30000000000',
  virtualToken: '1000000000000',
};

interface Entry {
  readonly tokenInfo: { readonly name: string; readonly price: number };
}
const entryOf = (json: RewardJson, token: TokenRow, solPrice: number | undefined) =>
  JSON.parse(json.entry(REWARD, token, solPrice)) as Entry;

describe('RewardJson', () => {
  it('puts the decimal point of every amount where the SDK does', () => {
    const amounts = Array.from({ length: 40 }, (_, power) => 10n ** BigInt(power)).flatMap((power) => [
      power - 1n,
      power,
      power + 1n,
      power * 12n,
      power * 1_000_001n,
    ]);
    for (const amount of amounts) {
      expect(unitsText(String(amount), SOL_DECIMALS)).to.equal(formatSol(amount));
      expect(unitsText(String(amount), TOKEN_DECIMALS)).to.equal(formatTokens(amount));
    }
  });

  it('writes every digit of amounts beyond 2^64, and names with any characters', () => {
    const text = new RewardJson().entry(REWARD, TOKEN, 200);
    expect(text).to.equal(
      '{"unclaimedRewards":{"sol":0,"solUi":"0","token":1500000,"tokenUi":"1.5"},' +
        '"allTimeRewards":{"sol":1500000000,"solUi":"1.5","token":18446744073709551617,"tokenUi":"18446744073709.551617"},' +
        `"tokenInfo":{"address":"mint","symbol":"","name":${JSON.stringify(TOKEN.name)},"image":"","price":0.006}}`,
    );
  });

  it('uses the current token and price, although it caches the text of tokens', () => {
    const json = new RewardJson();
    const price = (lamports: bigint, solPrice: number) =>
      Number(formatPrice({ lamports, tokenUnits: 10n ** 12n }, 24)) * solPrice;
    for (const solPrice of [200, 100]) {
      for (const lamports of [30_000_000_000n, 31_000_000_000n]) {
        const token = { ...TOKEN, virtualSol: String(lamports) };
        expect(entryOf(json, token, solPrice).tokenInfo.price).to.equal(price(lamports, solPrice));
      }
    }
    expect(entryOf(json, TOKEN, undefined).tokenInfo.price).to.equal(0);
    expect(entryOf(json, { ...TOKEN, virtualToken: null }, 200).tokenInfo.price).to.equal(0);
    expect(entryOf(json, { ...TOKEN, name: 'another' }, 200).tokenInfo.name).to.equal('another');
  });
});
