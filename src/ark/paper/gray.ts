// Pictures of one byte a pixel, and which of their pixels are dark. Pure.

export interface GrayImage {
  width: number;
  height: number;
  /** Row by row, 0 is black. */
  luma: Uint8Array;
}

/** @param data four bytes a pixel, as a canvas gives them; what is transparent counts as white */
export function toGray(width: number, height: number, data: Uint8ClampedArray): GrayImage {
  const luma = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < luma.length; i++, at += 4) {
    const alpha = data[at + 3];
    const shade = (data[at] * 77 + data[at + 1] * 151 + data[at + 2] * 28) >> 8;
    luma[i] = alpha === 255 ? shade : 255 - (((255 - shade) * alpha) >> 8);
  }
  return { width, height, luma };
}

/** A pixel is dark if it is this much darker than what is around it. */
const DARKER = 0.9;

/**
 * 1 for each pixel that is darker than its surroundings, so that neither shadows nor yellowed paper matter (after Bradley and Roth,
 * "Adaptive thresholding using the integral image", 2007).
 */
export function darkPixels({ width, height, luma }: GrayImage): Uint8Array {
  const radius = Math.max(12, Math.round(Math.min(width, height) / 24));
  const stride = width + 1;
  // Of 4,096 by 4,096 pixels, the most that are looked at, the sum just fits.
  const sums = new Uint32Array(stride * (height + 1));
  for (let y = 0, at = 0; y < height; y++) {
    let row = 0;
    for (let x = 1; x <= width; x++, at++) {
      row += luma[at];
      sums[(y + 1) * stride + x] = sums[y * stride + x] + row;
    }
  }
  const dark = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const [above, below] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    const [top, bottom] = [above * stride, below * stride];
    for (let x = 0; x < width; x++, at++) {
      const left = x > radius ? x - radius : 0;
      const right = x + radius < width ? x + radius + 1 : width;
      const sum = sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left];
      if (luma[at] * (below - above) * (right - left) < sum * DARKER) dark[at] = 1;
    }
  }
  return dark;
}
