import { useConfig } from '../config.js';
import { exactSol } from '../format.js';
import { useBalances } from '../wallet/balances.js';
import { Faucet } from '../wallet/faucet.js';
import { useAccount } from '../wallet/store.js';
import { launchWords } from '../words/launch.js';
import { costsOf } from './costs.js';
import type { LaunchForm } from './words-of-form.js';

/** Says that the wallet has too little SOL for the launch, with the faucet where there is one. */
export function Funds({ form }: { readonly form: LaunchForm }) {
  const config = useConfig();
  const account = useAccount();
  const balances = useBalances(account?.address);
  if (account === undefined || balances === undefined) return null;
  const { spent, cost } = costsOf(form, config, balances.rent);
  if (balances.sol >= spent + cost) return null;
  return (
    <>
      <p className="alert warn" role="status" data-testid="funds">
        {launchWords.tooLittle(exactSol(spent + cost), exactSol(balances.sol))}
      </p>
      {config.faucet && <Faucet address={account.address} />}
    </>
  );
}
