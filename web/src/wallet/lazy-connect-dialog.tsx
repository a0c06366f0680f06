import { lazy, Suspense } from 'react';

const Loaded = lazy(() => import('./connect-dialog.js'));

/** The list of wallets, loaded when it is opened. */
export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Suspense>
      <Loaded onClose={onClose} />
    </Suspense>
  );
}
