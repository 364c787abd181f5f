// The token and the thirteen, told as what they are on this server today: read from the chain, or not needed.
import {
  GATHERING_THRESHOLD,
  RITUAL_MINIMUM,
  TOKEN_FULL_SYMBOL,
  TOKEN_SYMBOL,
} from '../../../shared/nouns/holders.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { gatheredWords } from './gathered.ts';
import { TITLE } from './section.tsx';

const given = [
  {
    count: '0',
    words: 'tokens are needed to keep a memory here. Everything named above is open without one.',
  },
  {
    count: '1',
    words:
      'token lets its holder extract an artifact in the terminal: a letter locked by a passphrase that no other wallet can make.',
  },
  {
    count: `${RITUAL_MINIMUM}`,
    words:
      'tokens open the sacred rituals: more of the artifact, the whole text of the Nexus, and further tones of a eulogy.',
  },
  {
    count: `${GATHERING_THRESHOLD}`,
    words: 'unique holders, together, open the chamber.',
  },
];

const places = Array.from({ length: 13 }, (_, i) => i);

/** What stands over the arcade: it says how many of its niches are lit. */
function titleFor(gathered: number | null): string {
  if (gathered === null || gathered === 0) return 'Thirteen places, kept empty';
  return gathered < GATHERING_THRESHOLD ? 'Thirteen places' : 'The Thirteen Have Gathered';
}

export function Gathering({ gathered }: { gathered: number | null }) {
  return (
    <section className="wrap">
      <div className="grid gap-x-16 gap-y-9 border-t border-line/70 py-8 sm:py-24 md:grid-cols-[5fr_7fr]">
        <Token isRead={gathered !== null} />
        <Thirteen gathered={gathered} />
      </div>
    </section>
  );
}

/** What the token opens, where it is read; where it is not, that nothing here needs one. */
function Token({ isRead }: { isRead: boolean }) {
  return (
    <div>
      <p className="caps text-dust">The token economy</p>
      <h2 className={TITLE}>{TOKEN_SYMBOL}</h2>
      {isRead ? (
        <>
          <p className="mt-4 text-dust">
            Written out, it is {TOKEN_FULL_SYMBOL}: a token on Solana, carried and not spent, and read from
            the chain here. It buys no privacy, as that is not for sale here.
          </p>
          <ul className="mt-6 border-y border-line/70">
            {given.map(({ count, words }) => (
              <li
                key={count}
                className="grid grid-cols-[3.25rem_1fr] items-baseline gap-x-4 border-line/70 py-3 not-first:border-t"
              >
                <span className="font-display text-name">{count}</span>{' '}
                <span className="text-small text-dust">{words}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="mt-4 text-dust">No token is needed here. Everything named above is open without one.</p>
      )}
    </div>
  );
}

function Thirteen({ gathered }: { gathered: number | null }) {
  return (
    <div>
      <p className="caps text-dust">The thirteen holders</p>
      <h2 className={TITLE}>{titleFor(gathered)}</h2>
      {gathered !== null && (
        <p className="mt-4 max-w-prose text-dust">
          {gathered < GATHERING_THRESHOLD
            ? 'When thirteen unique holders stand here at once, a hidden chamber opens.'
            : 'The hidden chamber stands open.'}{' '}
          The first is called The Curve, the second The Architect, and each of the others by a number.
        </p>
      )}
      <Arcade lit={gathered ?? 0} />
      {gathered !== null && <p className="caps mb-6 text-dust">{gatheredWords(gathered)}</p>}
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/thirteen-holders" size="small">
          {gathered === null ? 'See the gathering' : 'See who has come'}
        </ButtonLink>
        <Button data-terminal="" size="small" className="font-machine!">
          thirteen.sh
        </Button>
      </div>
    </div>
  );
}

/** Thirteen arches in a row, the middle one the tallest. */
function Arcade({ lit }: { lit: number }) {
  return (
    <svg
      viewBox="0 0 528 72"
      className="my-5 w-full text-dust"
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
