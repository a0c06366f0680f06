// Pyth's price of SOL in USD: an account of its receiver program, or what its service Hermes answers.
import { PublicKey, type AccountInfo } from '@solana/web3.js';

const RECEIVER = new PublicKey('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
const SOL_USD = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';
/** Of `PriceUpdateV2`: `sha256("account:PriceUpdateV2")`, its first 8 bytes. */
const DISCRIMINATOR = '22f123639d7ef4cd';
/** Behind the discriminator and the write authority. A partly verified price has one byte more there, and is refused. */
const VERIFICATION_LEVEL = 40;
const FULL = 1;
const LENGTH = 133;
/** The interval within which Pyth's publishers agree, on each side of the price: 1 part of this many. */
const WIDEST_CONFIDENCE = 50n;

export interface PythPrice {
  readonly price: bigint;
  readonly conf: bigint;
  readonly expo: number;
  /** Unix seconds. */
  readonly publishTime: number;
}

/** @throws for an account that is not a fully verified price of SOL in USD */
export function readPriceAccount({ owner, data }: Pick<AccountInfo<Buffer>, 'owner' | 'data'>): PythPrice {
  if (!owner.equals(RECEIVER))
    throw new Error(`the price account belongs to ${owner.toBase58()}, not to Pyth's receiver program`);
  if (data.length < LENGTH || data.toString('hex', 0, 8) !== DISCRIMINATOR)
    throw new Error('the price account is not a PriceUpdateV2 of Pyth');
  if (data[VERIFICATION_LEVEL] !== FULL) throw new Error('the price account is only partly verified');
  if (data.toString('hex', 41, 73) !== SOL_USD) throw new Error('the price account is not of SOL in USD');
  return {
    price: data.readBigInt64LE(73),
    conf: data.readBigUInt64LE(81),
    expo: data.readInt32LE(89),
    publishTime: Number(data.readBigInt64LE(93)),
  };
}

/** Undefined for a value that is not an object of Hermes. */
export function readHermes(value: unknown): PythPrice | undefined {
  const { price, conf, expo, publish_time: publishTime } = (value ?? {}) as Record<string, unknown>;
  const isWhole = (text: unknown) => typeof text === 'string' && /^-?\d{1,20}$/.test(text);
  if (!isWhole(price) || !isWhole(conf) || !Number.isInteger(expo) || !Number.isInteger(publishTime))
    return undefined;
  return {
    price: BigInt(price as string),
    conf: BigInt(conf as string),
    expo: expo as number,
    publishTime: publishTime as number,
  };
}

/** @throws when the publishers do not agree on the price */
export function usdOf({ price, conf, expo }: PythPrice): number {
  if (conf < 0n || conf * WIDEST_CONFIDENCE > price)
    throw new Error(
      `Pyth's publishers do not agree: the price is ${price} with a confidence of ${conf}, over 2 %`,
    );
  return Number(`${price}e${expo}`);
}
