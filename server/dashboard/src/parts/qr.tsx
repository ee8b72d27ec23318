// A QR code as a picture of its own: nothing is asked of anybody, and it says what it is for.
import {encode} from 'uqr';

export function QrCode({text, label}: {text: string; label: string}) {
  const {data, size} = encode(text, {ecc: 'M', border: 2});
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
