// The page for those outside. Rendered ahead of time and read without its script, which only opens the terminal; every sentence on it has to be true of
// this server today.
import { PublicNav } from '../../ui/nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { Endings } from './endings.tsx';
import { Foot } from './foot.tsx';
import { Hero } from './hero.tsx';
import { Kept } from './kept.tsx';
import { type Offers, offers as offersNow } from './offers.ts';
import { Protection } from './protection.tsx';
import { Questions } from './questions.tsx';
import { Thirteen } from './thirteen.tsx';
import { Token } from './token.tsx';

export function LandingPage({ offers = offersNow }: { offers?: Offers }) {
  const links = [
    ...(offers.blackScroll ? [{ label: 'The black scroll', href: '/black-scroll' }] : []),
    ...(offers.thirteenHolders ? [{ label: 'The thirteen', href: '/thirteen-holders' }] : []),
  ];
  return (
    <Shell
      nav={
        <>
          <Endings />
          <PublicNav links={links} />
        </>
      }
      after={<Foot offers={offers} />}
    >
      <Hero offers={offers} />
      <Kept />
      <Protection />
      <Token offers={offers} />
      <Thirteen offers={offers} />
      <Questions />
    </Shell>
  );
}
