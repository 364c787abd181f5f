// A text to be scanned by another device. Dark on light, whatever the page's colours: not every camera reads the other.
import { useMemo } from 'react';
import { classes } from './classes.ts';
import { drawQr } from './qr-drawing.ts';

interface QrCodeProps {
  text: string;
  /** What a camera will find. */
  label: string;
  className?: string;
}

export function QrCode({ text, label, className = 'size-52' }: QrCodeProps) {
  const { size, path } = useMemo(() => drawQr(text), [text]);
  return (
    <svg
      className={classes('forced-color-adjust-none', className)}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      focusable="false"
    >
      <rect width={size} height={size} className="fill-bone" />
      <path d={path} className="fill-ink-0" />
    </svg>
  );
}
