// The thirteen: an arcade of as many niches, lit as they are filled.
import { GATHERING_THRESHOLD } from '../../../shared/nouns/holders.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { gatheredWords, type Offers } from './offers.ts';

const places = Array.from({ length: 13 }, (_, i) => i);

/** What stands over the arcade: it says how many of its niches are lit. */
function titleFor(gathered: number | null): string {
  if (gathered === null || gathered === 0) return 'Thirteen places, kept empty';
  return gathered < GATHERING_THRESHOLD ? 'Thirteen places' : 'The Thirteen Have Gathered';
}

export function Thirteen({ offers }: { offers: Offers }) {
  const { gathered } = offers;
  return (
    <section className="wrap">
      <div className="grid grid-cols-1 justify-items-center gap-6 border-t border-line/70 py-20 text-center sm:py-28">
        <p className="caps text-dust">The thirteen holders</p>
        <h2 className="font-display text-title font-light tracking-tight">{titleFor(gathered)}</h2>
        {gathered !== null && (
          <p className="max-w-prose text-balance text-dust">
            {gathered < GATHERING_THRESHOLD
              ? 'When thirteen unique holders stand here at once, a hidden chamber opens.'
              : 'The hidden chamber stands open.'}{' '}
            The first is called The Curve, the second The Architect, and each of the others by a number.
          </p>
        )}
        <Arcade lit={gathered ?? 0} />
        {gathered !== null && <p className="caps text-dust">{gatheredWords(gathered)}</p>}
        <div className="mt-2 flex flex-wrap justify-center gap-4 empty:hidden">
          {offers.thirteenHolders && (
            <ButtonLink href="/thirteen-holders">
              {gathered === null ? 'See the gathering' : 'See who has come'}
            </ButtonLink>
          )}
          {offers.terminal && (
            <Button data-terminal="" className="font-machine! text-body!">
              thirteen.sh
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

/** Thirteen arches in a row, the middle one the tallest. */
function Arcade({ lit }: { lit: number }) {
  return (
    <svg
      viewBox="0 0 528 72"
      className="my-8 w-full max-w-[60rem] text-dust"
      fill="none"
      stroke="currentColor"
      strokeWidth="1"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M0 68.5h528M4 71.5h520" vectorEffect="non-scaling-stroke" opacity=".6" />
      {places.map((i) => {
        const x = 4 + i * 40;
        const rise = 12 - Math.abs(i - 6) * 1.5;
        const top = 34 - rise;
        return (
          <g key={i}>
            <path
              d={`M${x + 4} 68.5V${top}a16 16 0 0 1 32 0v${68.5 - top}M${x + 9} 68.5V${top + 1}a11 11 0 0 1 22 0v${67.5 - top}`}
              vectorEffect="non-scaling-stroke"
              opacity=".75"
            />
            {i < lit ? (
              <path
                d={`M${x + 20} ${top + 6}c3 4 4.5 6.5 4.5 9a4.5 4.5 0 0 1-9 0c0-2.5 1.5-5 4.5-9zM${x + 20} ${top + 20}v${48.5 - top}`}
                vectorEffect="non-scaling-stroke"
                className="fill-ember/20 text-ember"
                stroke="currentColor"
              />
            ) : (
              <path d={`M${x + 17} 62h6`} vectorEffect="non-scaling-stroke" opacity=".5" />
            )}
          </g>
        );
      })}
    </svg>
  );
}
