// The token, told as what it is today: an intention.
import { Badge } from '../../ui/badge.tsx';
import { Section } from './section.tsx';

const counts = [
  {
    count: '0',
    words: 'tokens are needed to keep a memory here. Everything named above is open without one.',
  },
  { count: '100', words: 'tokens are meant to open the sacred rituals to whoever holds them.' },
  { count: '13', words: 'unique holders, together, are meant to open a chamber that nobody has entered.' },
];

export function Token() {
  return (
    <Section
      matter="beside"
      eyebrow="The token economy"
      title={<span className="text-hero">LAT</span>}
      lead={
        <>
          <p>
            Written out, it is $LATEBRA: meant as a token on Solana, to be carried and not spent. It will buy
            no privacy, as that is not for sale here.
          </p>
          <p className="mt-5">
            <Badge variant="locked">Not yet open here</Badge>
          </p>
        </>
      }
    >
      <ul className="border-y border-line/70">
        {counts.map(({ count, words }) => (
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
