// Fingers, wheel and keys on a picture: two fingers, a double tap and + and - enlarge it, one finger moves an enlarged one and turns to
// the next file of one that is not.
import { type PointerEvent, useRef, useState } from 'react';
import {
  distance,
  middle,
  moved,
  type Place,
  type Point,
  STEP,
  TAPPED,
  type View,
  WHOLE,
  zoomed,
} from './zoom.ts';

/** How far a finger goes before it turns to the next file, in pixels. */
const SWIPE = 60;
/** How near and how soon a second tap is one of a double tap, in pixels and milliseconds. */
const NEAR = 30;
const SOON = 320;
/** How far an arrow moves an enlarged picture, in pixels. */
const ARROW = 80;

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: ARROW, y: 0 },
  ArrowRight: { x: -ARROW, y: 0 },
  ArrowUp: { x: 0, y: ARROW },
  ArrowDown: { x: 0, y: -ARROW },
};

export interface Zoom {
  view: View;
  /** Whether it follows fingers right now: then it moves without a transition. */
  isHeld: boolean;
  /** Back to the whole picture, as for another file. */
  reset: () => void;
  /** @returns whether the key was one of a picture */
  hearKey: (key: string, place: Element | null) => boolean;
  /** What the place of the picture listens to. */
  hears: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
  };
}

const sizeOf = (place: Element): Place => {
  const { width, height } = place.getBoundingClientRect();
  return { width, height };
};

/** From the middle of the place. */
function pointIn({ clientX, clientY, currentTarget }: PointerEvent): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

/** @param onSwipe turns to another file: 1 for the next */
export function useZoom(isPicture: boolean, onSwipe: (by: 1 | -1) => void): Zoom {
  const [view, setView] = useState(WHOLE);
  const [isHeld, setHeld] = useState(false);
  const fingers = useRef(new Map<number, Point>());
  /** Where a touch of one finger began; null once there was a second one. */
  const began = useRef<Point | null>(null);
  const tapped = useRef<{ at: Point; when: number } | null>(null);

  function lift(event: PointerEvent) {
    fingers.current.delete(event.pointerId);
    if (fingers.current.size === 0) setHeld(false);
  }

  function hearTap(event: PointerEvent, at: Point) {
    const before = tapped.current;
    const isSecond = before && event.timeStamp - before.when < SOON && distance(before.at, at) < NEAR;
    tapped.current = isSecond ? null : { at, when: event.timeStamp };
    if (!isSecond || !isPicture) return;
    const place = sizeOf(event.currentTarget);
    setView((now) => (now.scale > 1 ? WHOLE : zoomed(now, TAPPED, at, place)));
  }

  return {
    view,
    isHeld,
    reset: () => setView(WHOLE),
    hearKey(key, place) {
      if (!isPicture || !place) return false;
      const size = sizeOf(place);
      const arrow = ARROWS[key];
      if (arrow && view.scale > 1) setView(moved(view, arrow, size));
      else if (key === '+' || key === '=') setView(zoomed(view, STEP, { x: 0, y: 0 }, size));
      else if (key === '-') setView(zoomed(view, 1 / STEP, { x: 0, y: 0 }, size));
      else if (key === '0') setView(WHOLE);
      else return false;
      return true;
    },
    hears: {
      onPointerDown(event) {
        if (event.target instanceof HTMLMediaElement) return;
        const at = pointIn(event);
        fingers.current.set(event.pointerId, at);
        began.current = fingers.current.size === 1 ? at : null;
        if (!isPicture) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      },
      onPointerMove(event) {
        const before = fingers.current.get(event.pointerId);
        if (!before || !isPicture) return;
        const now = pointIn(event);
        const place = sizeOf(event.currentTarget);
        const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId);
        fingers.current.set(event.pointerId, now);
        if (other) {
          const [, still] = other;
          const factor = distance(now, still) / Math.max(1, distance(before, still));
          const [from, to] = [middle(before, still), middle(now, still)];
          const by = { x: to.x - from.x, y: to.y - from.y };
          setView((was) => moved(zoomed(was, factor, from, place), by, place));
        } else {
          const by = { x: now.x - before.x, y: now.y - before.y };
          setView((was) => moved(was, by, place));
        }
      },
      onPointerUp(event) {
        const from = began.current;
        const isOnly = fingers.current.size === 1;
        lift(event);
        if (!from || !isOnly) return;
        const at = pointIn(event);
        const [x, y] = [at.x - from.x, at.y - from.y];
        if (Math.hypot(x, y) < NEAR / 3) return hearTap(event, at);
        const isSwipe = event.pointerType === 'touch' && view.scale === 1;
        if (isSwipe && Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x > 0 ? -1 : 1);
      },
      onPointerCancel: lift,
    },
  };
}
