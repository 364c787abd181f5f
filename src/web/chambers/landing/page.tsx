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
      {/* How tall each is, roughly, on a narrow window and on a wide one: nothing jumps when it is laid out. */}
      <div className="when-near-[187rem] md:when-near-[138rem]">
        <Kept />
      </div>
      <div className="when-near-[141rem] md:when-near-[82rem]">
        <Protection />
      </div>
      <div className="when-near-[55rem] md:when-near-[39rem]">
        <Token offers={offers} />
      </div>
      <div className="when-near-[47rem] md:when-near-[46rem]">
        <Thirteen offers={offers} />
      </div>
      <div className="when-near-[39rem] md:when-near-[46rem]">
        <Questions />
      </div>
    </Shell>
  );
}
