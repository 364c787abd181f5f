// The token, told as what it is on this server today: read from the chain, or not needed.
import {
  GATHERING_THRESHOLD,
  RITUAL_MINIMUM,
  TOKEN_FULL_SYMBOL,
  TOKEN_SYMBOL,
} from '../../../shared/nouns/holders.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Offers } from './offers.ts';
import { Section } from './section.tsx';

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

/** What the token opens, where it is read; where it is not, that nothing here needs one. */
export function Token({ offers }: { offers: Offers }) {
  const isRead = offers.gathered !== null;
  return (
    <Section
      matter="beside"
      eyebrow="The token economy"
      title={<span className="text-hero">{TOKEN_SYMBOL}</span>}
      lead={
        isRead && (
          <>
            <p>
              Written out, it is {TOKEN_FULL_SYMBOL}: a token on Solana, carried and not spent. It buys no
              privacy, as that is not for sale here.
            </p>
            <p className="mt-5">
              <Badge variant="open">Read from the chain here</Badge>
            </p>
          </>
        )
      }
    >
      {isRead ? (
        <ul className="border-y border-line/70">
          {given.map(({ count, words }) => (
            <li
              key={count}
              className="grid grid-cols-[5.5rem_1fr] items-baseline gap-x-6 border-line/70 py-7 not-first:border-t sm:grid-cols-[8rem_1fr]"
            >
              <span className="font-display text-title font-light">{count}</span>{' '}
              <span className="text-note text-dust">{words}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="self-end text-lead text-dust">
          No token is needed here. Everything named above is open without one.
        </p>
      )}
    </Section>
  );
}
