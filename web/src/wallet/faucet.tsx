import { useState } from 'react';
import { explain } from '../errors.js';
import { request } from '../market/api.js';
import { dialogWords } from '../words/wallet-dialogs.js';
import { refreshBalances } from './balances.js';

/** A button for test SOL, when the service has a faucet. */
export function Faucet({ address }: { readonly address: string }) {
  const [state, setState] = useState<'idle' | 'asking' | 'done'>('idle');
  const [problem, setProblem] = useState<string>();
  const ask = async () => {
    setState('asking');
    setProblem(undefined);
    try {
      await askFaucet(address);
      await refreshBalances();
      setState('done');
    } catch (error) {
      setProblem(explain(error));
      setState('idle');
    }
  };
  return (
    <>
      <button type="button" className="btn quiet" disabled={state === 'asking'} onClick={() => void ask()}>
        {state === 'asking' ? dialogWords.funding : dialogWords.fund}
      </button>
      <span className="sr" role="status">
        {state === 'done' ? dialogWords.faucetDone : ''}
      </span>
      {problem !== undefined && (
        <p role="alert" className="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Requests test SOL for a wallet on a local cluster. @throws RequestError */
async function askFaucet(address: string): Promise<void> {
  await request('/v1/market/faucet', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
}
