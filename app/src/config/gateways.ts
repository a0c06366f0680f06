// The gateways to IPFS and Arweave.
export interface Gateways {
  /** Origins that serve `/ipfs/CID` and `/ipns/NAME`, in the order in which they are tried. */
  readonly ipfs: readonly string[];
  /** Origins that serve `/TRANSACTION`. */
  readonly arweave: readonly string[];
}

export const USUAL_GATEWAYS: Gateways = {
  ipfs: ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'],
  arweave: ['https://arweave.net', 'https://permagate.io', 'https://ar-io.dev'],
};
