'use client';
import { useState } from 'react';
import { PROGRAM_ADDRESS, curveAddress, quoteBuy } from '@curvekit/sdk';
import { trade } from '@curvekit/sdk/trade';

const CURVE = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n, platformFeeBps: 100 };

export function Quote() {
  const [error, setError] = useState('');
  const { tokenOut } = quoteBuy(CURVE, 1_000_000_000n);
  return (
    <button onClick={() => trade(undefined, {}).catch(({ name }) => setError(name))}>
      {`${tokenOut} units of ${curveAddress(PROGRAM_ADDRESS).address.toBase58()} ${error}`}
    </button>
  );
}
