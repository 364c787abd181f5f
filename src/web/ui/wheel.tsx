// The wheel of thirteen: how many of thirteen places are filled. Deterministic, so that it can be rendered ahead of
// time, and free of style attributes, which the content policy would refuse.

import { useId } from 'react';

const places = 13;
const step = 5;
const ticks = places * 7;

function point(turn: number, radius: number): string {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius).toFixed(1)}`;
}

/** The star {13/5}: one unbroken line through all thirteen places. */
const star = `M${Array.from({ length: places }, (_, i) => point((i * step) / places, 216)).join('L')}z`;

const graduation = Array.from(
  { length: ticks },
  (_, i) => `M${point(i / ticks, i % 7 ? 212 : 205)}L${point(i / ticks, 216)}`,
).join('');

interface WheelProps {
  /** How many places are filled, 0 to 13. */
  lit: number;
  className?: string | undefined;
  /** Leaves the middle dark, for words that stand in it. A gradient, as a mask costs every visitor a slower first paint. */
  hollow?: boolean;
  /** Given where the wheel stands without words that say the same. */
  label?: string | undefined;
}

/**
 * Draws the wheel in the current colour; filled places burn in ember. Lines are faint by the opacity of their stroke: that
 * of an element costs a layer each.
 */
export function Wheel({ lit, className, label, hollow = false }: WheelProps) {
  const id = useId();
  const inner = hollow ? `url(#${id})` : undefined;
  return (
    <svg
      className={className}
      viewBox="-230 -230 460 460"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      <circle r="222" />
      <circle r="216" />
      {hollow ? (
        <radialGradient id={id} gradientUnits="userSpaceOnUse" cx="0" cy="0" r="216">
          <stop offset=".58" stopColor="currentColor" stopOpacity="0" />
          <stop offset="1" stopColor="currentColor" stopOpacity=".4" />
        </radialGradient>
      ) : (
        <circle r="92" strokeOpacity=".7" />
      )}
      <circle r="150" strokeDasharray="1 6" strokeOpacity={hollow ? 0.3 : undefined} />
      <path d={star} {...(inner ? { stroke: inner } : { strokeOpacity: '.34' })} />
      <path d={graduation} strokeOpacity=".6" />
      {Array.from({ length: places }, (_, i) => {
        const [cx, cy] = point(i / places, 219).split(' ');
        const filled = i < lit;
        return (
          <circle
            key={`${cx} ${cy}`}
            cx={cx}
            cy={cy}
            r={filled ? 5 : 4}
            className={filled ? 'fill-ember stroke-none' : 'fill-ink-0'}
          />
        );
      })}
    </svg>
  );
}
