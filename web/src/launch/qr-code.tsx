import { encode } from 'uqr';
import { launchWords } from '../words/launch.js';

/** Modules of white around the code, without which cameras do not find it. */
const BORDER = 2;

export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={launchWords.qrOf(text)}>
      <path d={dark.join('')} />
    </svg>
  );
}
