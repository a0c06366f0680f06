export default function WalletPage({ address }: { readonly address: string }) {
  return <h1>{address}</h1>;
}
