// A text as the drawing of a QR code: pure, so that a reader of QR codes can check it.
import encodeQR from 'qr';

/** Four modules of quiet around the code, as ISO/IEC 18004 asks. */
const BORDER = 4;

export interface QrDrawing {
  /** Modules on each side, the quiet border included. */
  size: number;
  /** The dark modules as an SVG path, one unit each. */
  path: string;
}

/** @throws Error when the text is longer than a QR code can hold (about 2,300 bytes) */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  });
  return { size: rows.length, path };
}
