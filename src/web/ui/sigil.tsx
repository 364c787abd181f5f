// The engraved signs of the interface, drawn as hairlines on one 52-unit grid. Colour and size come from outside.
// A sigil is decoration unless it is given a label; it must never be the only carrier of a meaning.

/** One sign: solid strokes, and dotted ones with their own pattern. */
interface Engraving {
  solid: string;
  dotted?: [path: string, pattern: string];
}

/** A full circle as a path, so that each sign stays one string. */
function ring(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

const engravings = {
  /** Latebra itself: an arch, a slit of light, a keyhole */
  mark: {
    solid: `${ring(26, 26, 23)}M26 3v16M26 29v20M13.5 45.3V24.5a12.5 12.5 0 0 1 25 0v20.8${ring(26, 24, 5)}${ring(26, 24, 1)}`,
  },
  memory: {
    solid: `M10 45V22a16 16 0 0 1 32 0v23M16 45V22.5a10 10 0 0 1 20 0V45M6 45h40${ring(26, 28, 3)}M26 31v8M26 6V2.5M12.6 10.6l-2.4-2.4M39.4 10.6l2.4-2.4`,
  },
  relation: {
    solid: `${ring(18.5, 26, 13.5)}${ring(33.5, 26, 13.5)}M26 19.5v13`,
    dotted: [ring(26, 26, 22.5), '.1 5.3'],
  },
  ghost: {
    solid: 'M26 23.5c4 4.3 6.2 7.2 6.2 10.4a6.2 6.2 0 0 1-12.4 0c0-3.2 2.2-6.1 6.2-10.4z',
    dotted: ['M26 4c9.5 9 15 16.5 15 25.5a15 15 0 0 1-30 0C11 20.5 16.5 13 26 4zM26 48v.1', '2 3.6'],
  },
  myth: {
    solid: `M26 5l4.7 16.3L47 26l-16.3 4.7L26 47l-4.7-16.3L5 26l16.3-4.7zM14.5 14.5l4.6 4.6M37.5 14.5l-4.6 4.6M14.5 37.5l4.6-4.6M37.5 37.5l-4.6-4.6${ring(26, 26, 2)}`,
    dotted: [ring(26, 26, 21.5), '.1 4.5'],
  },
  key: {
    solid: `${ring(26, 14, 10)}${ring(26, 14, 4)}M26 24v24M26 37h8v4h-4M26 45h6M22.5 27.5h7`,
  },
  breath: {
    solid:
      'M5 20.5h27.5a6.25 6.25 0 1 0-6.25-6.25M5 27.5h36a6 6 0 1 1-6 6M9 34.5h13.5a5.25 5.25 0 1 1-5.25 5.25',
    dotted: ['M38 20.5h9M45 34.5h3', '.1 3'],
  },
  legacy: {
    solid:
      'M13 6h26M13 46h26M16 6c0 12.5 20 14.5 20 27.5V46M36 6c0 12.5-20 14.5-20 27.5V46M20.5 41.5c1.5-4 3.5-5.5 5.5-5.5s4 1.5 5.5 5.5M20.5 14.5h11',
    dotted: ['M26 26v8', '.1 2.6'],
  },
  quantum: {
    solid:
      'M26 4l19 11v22L26 48 7 37V15zM26 15l9.5 5.5v11L26 37l-9.5-5.5v-11zM26 4v11M45 15l-9.5 5.5M45 37l-9.5-5.5M26 48V37M7 37l9.5-5.5M7 15l9.5 5.5',
    dotted: ['M26 26v-8M26 26l7 4M26 26l-7 4', '.1 2.6'],
  },
  /** a ring of thirteen */
  thirteen: {
    solid: `${ring(26, 26, 22.5)}${ring(26, 26, 11)}${ring(26, 26, 1)}`,
    dotted: [ring(26, 26, 17), '.1 8.116'],
  },
  /** a vault's wheel */
  settings: {
    solid: `${ring(26, 26, 5)}${ring(26, 26, 15.5)}M31 26L48.5 26M29.5 29.5L41.9 41.9M26 31L26 48.5M22.5 29.5L10.1 41.9M21 26L3.5 26M22.5 22.5L10.1 10.1M26 21L26 3.5M29.5 22.5L41.9 10.1`,
    dotted: [ring(26, 26, 10.2), '.1 4'],
  },
  /** a touch: the ridges of a fingertip */
  touch: {
    solid:
      'M26 47c-.6-6-1-11.5-1-17a1.5 1.5 0 0 1 3 0c0 5.6.3 10.5 1 15.5M19.5 45.5c-.9-4.9-1.5-10-1.5-15.5a8.2 8.2 0 0 1 16.4 0c0 4.6.2 8.6.8 12.7M13.3 42c-.6-3.8-1-7.8-1-12a14 14 0 0 1 28 0c0 2.9.1 5.7.4 8.3M7.7 33.5c-.1-1.2-.1-2.3-.1-3.5a18.6 18.6 0 0 1 29-15.4M40.6 18.7c2.5 3.1 4 7 4 11.3v2.5',
  },
  /** the words: a scroll */
  /** three waves leaving one point */
  whisper: {
    solid: `${ring(13, 26, 2.5)}M19.5 19a9.5 9.5 0 0 1 0 14M26 13.5a17.5 17.5 0 0 1 0 25`,
    dotted: ['M33 8a25 25 0 0 1 0 36M40.5 3.5a33 33 0 0 1 0 45', '.1 3.6'],
  },
  scroll: {
    solid:
      'M14 12.5V40a5.5 5.5 0 0 0 11 0v-3h19v3a5.5 5.5 0 0 1-5.5 5.5h-19M14 12.5a5 5 0 0 0-10 0V16h10zM9 7.5h24.5a5 5 0 0 1 5 5V37M19.5 16h13.5M19.5 22h13.5M19.5 28h8.5',
  },
  lock: {
    solid: `M12 23h28v23H12zM17 23v-6.5a9 9 0 0 1 18 0V23${ring(26, 32.5, 3)}M26 35.5V40`,
    dotted: ['M15.5 26.5h21v16h-21z', '.1 3.7'],
  },
  unlock: {
    solid: `M12 23h28v23H12zM17 23v-8.5a9 9 0 0 1 17.4-3.1${ring(26, 32.5, 3)}M26 35.5V40`,
    dotted: ['M15.5 26.5h21v16h-21z', '.1 3.7'],
  },
  eye: {
    solid: `M4 26c6-9.3 13.3-14 22-14s16 4.7 22 14c-6 9.3-13.3 14-22 14S10 35.3 4 26z${ring(26, 26, 8)}${ring(26, 26, 2.5)}`,
  },
  'eye-shut': {
    solid: 'M4 22c6 9.3 13.3 14 22 14s16-4.7 22-14M10 29.5l-3.5 4.5M20 35l-2 5.5M32 35l2 5.5M42 29.5l3.5 4.5',
  },
  /** the one candle */
  candle: {
    solid: `M20 26h12v20H20zM13 46h26M26 26v-5M26 5c3.6 4.2 5.2 7 5.2 9.7a5.2 5.2 0 0 1-10.4 0C20.8 12 22.4 9.2 26 5zM20 31c3 2 4 3 4 8`,
    dotted: [ring(26, 15, 13), '.1 4.08'],
  },
  /** ash: what is left after burning */
  ash: {
    solid:
      'M8 45h36M14 45c1.5-6.5 6-10 12-10s10.5 3.5 12 10M26 28c3.5-3.5 5-6 5-8.5 0-3-2-4.5-5-8.5-.6 4-4.5 5.5-4.5 9.5',
    dotted: ['M18 26l-4-8M35 27l4-7M26 6V3', '.1 4'],
  },
  /** a door that has been walled up */
  wall: {
    solid:
      'M8 46V24a18 18 0 0 1 36 0v22M4 46h44M8 38.5h36M8 31h36M8 23.5h36M12.5 16h27M18 38.5V46M30 38.5V46M13 31v7.5M25 31v7.5M37 31v7.5M19 23.5V31M32 23.5V31M14.5 16v7.5M26 16v7.5M38 16v7.5M21 7v9M32 7v9',
  },
  /** what deletes */
  bin: { solid: 'M8 14h36M20 14V8h12v6M12 14l3 32h22l3-32M21 22v16M31 22v16' },
  close: { solid: 'M14 14l24 24M38 14L14 38' },
  pen: { solid: 'M8 45.5h36M12 36L35 11l6.5 6L18.5 42 11 43zM30.5 16l6.5 6' },
  menu: { solid: 'M8 20h36M8 32h36' },
  search: { solid: `${ring(22, 22, 13)}M31.5 31.5L45 45` },
  down: { solid: 'M12 20l14 14 14-14' },
  check: { solid: 'M10 27l11 11 21-25' },
  copy: { solid: 'M18 18h26v26H18zM34 18V8H8v26h10' },
} satisfies Record<string, Engraving>;

/** The name of a sign. */
export type SigilName = keyof typeof engravings;

/** Every sign there is, in the order they were drawn. */
export const sigilNames = Object.keys(engravings) as SigilName[];

interface SigilProps {
  name: SigilName;
  /** Size as a class (`size-6`); the drawing itself has none. */
  className?: string | undefined;
  /** Given only where the sign stands without words. */
  label?: string | undefined;
}

/** Draws one sign. Strokes keep their width at any size, as engraved lines do. */
export function Sigil({ name, className = 'size-13', label }: SigilProps) {
  const engraving: Engraving = engravings[name];
  return (
    <svg
      className={className}
      width="52"
      height="52"
      viewBox="0 0 52 52"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.15"
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      <path d={engraving.solid} vectorEffect="non-scaling-stroke" />
      {engraving.dotted && <path d={engraving.dotted[0]} strokeDasharray={engraving.dotted[1]} />}
    </svg>
  );
}
