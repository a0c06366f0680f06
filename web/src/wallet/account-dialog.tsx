import { useSelectedWalletAccount } from '@solana/react';
import { useDisconnect, type UiWallet, type UiWalletAccount } from '@wallet-standard/react';
import { useConfig } from '../config.js';
import { exactSol } from '../format.js';
import Dialog from '../parts/dialog.js';
import { go } from '../router.js';
import { dialogWords } from '../words/wallet-dialogs.js';
import { useBalances } from './balances.js';
import { Faucet } from './faucet.js';

interface AccountDialogProps {
  readonly account: UiWalletAccount;
  readonly onClose: () => void;
}

export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { faucet } = useConfig();
  const [, setAccount, wallets] = useSelectedWalletAccount();
  const wallet = wallets.find(({ accounts }) => accounts.some(({ address }) => address === account.address));
  const balances = useBalances(account.address);
  const forget = () => setAccount(undefined);
  return (
    <Dialog title={dialogWords.account} onClose={onClose}>
      <div className="account">
        <p className="address mono">{account.address}</p>
        {balances !== undefined && <p className="strong">{exactSol(balances.sol)} SOL</p>}
        {faucet && <Faucet address={account.address} />}
        <button
          type="button"
          className="btn quiet"
          onClick={() => {
            onClose();
            go(`/w/${account.address}`);
          }}
        >
          {dialogWords.mine}
        </button>
        {wallet?.features.includes('standard:disconnect') === true ? (
          <Disconnect wallet={wallet} onDone={forget} />
        ) : (
          <button type="button" className="btn danger" onClick={forget}>
            {dialogWords.disconnect}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Disconnect({ wallet, onDone }: { readonly wallet: UiWallet; readonly onDone: () => void }) {
  const [, disconnect] = useDisconnect(wallet);
  const leave = () => disconnect().then(onDone, onDone);
  return (
    <button type="button" className="btn danger" onClick={() => void leave()}>
      {dialogWords.disconnect}
    </button>
  );
}
