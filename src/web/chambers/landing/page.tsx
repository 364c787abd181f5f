// The page for those outside. Rendered ahead of time and read without its script, which opens the example and the terminal;
// every sentence on it has to be true of this server today.
import { PublicNav } from '../../ui/nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { Endings } from './endings.tsx';
import { Foot } from './foot.tsx';
import { Gathering } from './gathering.tsx';
import { Hero } from './hero.tsx';
import { Protection } from './protection.tsx';
import { Questions } from './questions.tsx';
import { Uses } from './uses.tsx';

const links = [
  { label: 'The black scroll', href: '/black-scroll' },
  { label: 'The thirteen', href: '/thirteen-holders' },
];

/** @param gathered how many of the thirteen have come; null while no gathering is open */
export function LandingPage({ gathered }: { gathered: number | null }) {
  return (
    <Shell
      nav={
        <>
          <Endings />
          <PublicNav links={links} />
        </>
      }
      after={<Foot />}
    >
      <Hero gathered={gathered} />
      {/* How tall each is, roughly, on a narrow window and on a wide one: nothing jumps when it is laid out. */}
      <div className="when-near-[83rem] md:when-near-[73rem]">
        <Uses />
      </div>
      <div className="when-near-[60rem] md:when-near-[70rem]">
        <Protection />
      </div>
      <div className="when-near-[29rem] md:when-near-[28rem]">
        <Gathering gathered={gathered} />
      </div>
      <div className="when-near-[20rem] md:when-near-[39rem]">
        <Questions />
      </div>
    </Shell>
  );
}
