// The token, told as what it is on this server today: read from the chain, or an intention.
import {
  GATHERING_THRESHOLD,
  RITUAL_MINIMUM,
  TOKEN_FULL_SYMBOL,
  TOKEN_SYMBOL,
} from '../../../shared/nouns/holders.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Offers } from './offers.ts';
import { Section } from './section.tsx';

const none = {
  count: '0',
  words: 'tokens are needed to keep a memory here. Everything named above is open without one.',
};

const meant = [
  none,
  {
    count: `${RITUAL_MINIMUM}`,
    words: 'tokens are meant to open the sacred rituals to whoever holds them.',
  },
  {
    count: `${GATHERING_THRESHOLD}`,
    words: 'unique holders, together, are meant to open a chamber that nobody has entered.',
  },
];

const given = [
  none,
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

export function Token({ offers }: { offers: Offers }) {
  const isOpen = offers.gathered !== null;
  return (
    <Section
      matter="beside"
      eyebrow="The token economy"
      title={<span className="text-hero">{TOKEN_SYMBOL}</span>}
      lead={
        <>
          <p>
            Written out, it is {TOKEN_FULL_SYMBOL}:{' '}
            {isOpen ? 'a token on Solana,' : 'meant as a token on Solana, to be'} carried and not spent. It{' '}
            {isOpen ? 'buys' : 'will buy'} no privacy, as that is not for sale here.
          </p>
          <p className="mt-5">
            {isOpen ? (
              <Badge variant="open">Read from the chain here</Badge>
            ) : (
              <Badge variant="locked">Not yet open here</Badge>
            )}
          </p>
        </>
      }
    >
      <ul className="border-y border-line/70">
        {(isOpen ? given : meant).map(({ count, words }) => (
          <li
            key={count}
            className="grid grid-cols-[5.5rem_1fr] items-baseline gap-x-6 border-line/70 py-7 not-first:border-t sm:grid-cols-[8rem_1fr]"
          >
            <span className="font-display text-title font-light">{count}</span>{' '}
            <span className="text-note text-dust">{words}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
