// How a picture is enlarged and moved in its place. Pure arithmetic: points are measured from the middle of the place, in pixels.

export interface Point {
  x: number;
  y: number;
}

/** How much larger than its place a picture is shown, and how far its middle stands from the middle of the place. */
export interface View extends Point {
  scale: number;
}

/** A place, in pixels. */
export interface Place {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const SCALE_MAX = 8;
/** What a double tap enlarges to, and a key by. */
export const TAPPED = 2.5;
export const STEP = 1.5;

/** No farther than that an edge of the picture comes to an edge of its place. */
function within({ scale, x, y }: View, { width, height }: Place): View {
  const bound = (value: number, length: number) => {
    const most = ((scale - 1) * length) / 2;
    return Math.min(most, Math.max(-most, value));
  };
  return scale <= 1 ? WHOLE : { scale, x: bound(x, width), y: bound(y, height) };
}

/** Larger by a factor, with what stands at a point staying there. */
export function zoomed(view: View, factor: number, at: Point, place: Place): View {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * factor));
  const share = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * share, y: at.y - (at.y - view.y) * share }, place);
}

export const moved = (view: View, by: Point, place: Place): View =>
  within({ scale: view.scale, x: view.x + by.x, y: view.y + by.y }, place);

export const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
