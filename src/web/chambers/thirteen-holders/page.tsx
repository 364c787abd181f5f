// The gathering of the thirteen, for visitors and members alike: how many have come, who they are, and what opens when
// all have.
import { claimedPlaces, type Gathering } from '../../../shared/nouns/holders.ts';
import { formatDuration } from '../../../shared/time.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useUser } from '../../hooks/use-user.ts';
import { PageNav } from '../../shell/page-nav.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Room, Shell } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Wheel } from '../../ui/wheel.tsx';
import { HolderList } from './holder-list.tsx';
import { Nexus } from './nexus.tsx';
import { TerminalButton } from './terminal-button.tsx';
import { countOf, type GatheringState, useGathering } from './use-gathering.ts';

export default function ThirteenHoldersPage() {
  const isMember = Boolean(useUser().data);
  const state = useGathering();
  return (
    <Shell nav={<PageNav />}>
      <title>The thirteen · Latebra</title>
      <p role="status" className="sr-only">
        {state.news}
      </p>
      <Display state={state} isMember={isMember} />
    </Shell>
  );
}

function Display({ state, isMember }: { state: GatheringState; isMember: boolean }) {
  const { gathering, isPending, problem } = state;
  if (isPending) return <Spinner screen label="Counting the holders" />;
  if (!gathering) return <Threshold problem={problem} />;
  return <Gathered gathering={gathering} problem={problem} isMember={isMember} />;
}

/** Nothing is known of any holder. */
function Threshold({ problem }: { problem: string | null }) {
  return (
    <Room
      eyebrow="The thirteen holders"
      title="The Threshold Awaits"
      lead={
        problem === null
          ? 'This server watches no token, so nobody gathers here.'
          : 'What has gathered cannot be seen just now. This page goes on asking.'
      }
    >
      <Wheel lit={0} className="order-first size-56 text-bone/30" />
      {problem && <p className="text-note text-shade">{problem}</p>}
      <TerminalButton />
    </Room>
  );
}

interface GatheredProps {
  gathering: Gathering;
  problem: string | null;
  isMember: boolean;
}

function Gathered({ gathering, problem, isMember }: GatheredProps) {
  const { unlocked, count, threshold } = gathering;
  const places = Math.min(count, threshold);
  return (
    <div className="wrap pb-24">
      <header className="grid items-center gap-x-16 gap-y-10 pt-8 pb-14 sm:pt-14 md:grid-cols-[1fr_auto]">
        <div className="grid min-w-0 gap-7">
          <div>
            <p className="caps mb-4 text-dust">The thirteen holders</p>
            <h1 className="font-display text-title font-light tracking-tight">
              {unlocked ? 'The Thirteen Have Gathered' : 'The thirteen are gathering'}
            </h1>
            <p className="mt-4 max-w-prose text-dust">
              {unlocked
                ? 'Every place is taken, and the chamber stands open for as long as that is so.'
                : 'When thirteen unique holders stand here at once, a hidden chamber opens. A holder has at least one whole token.'}
            </p>
          </div>
          <div className="max-w-prose">
            <ProgressBar label="Holders" value={places} max={threshold} valueText={countOf(gathering)} />
          </div>
          <p className="font-display text-name">{claimedPlaces(count)}</p>
          {gathering.mint && <Mint address={gathering.mint} />}
          <Freshness gathering={gathering} problem={problem} />
          <div>
            <TerminalButton />
          </div>
        </div>
        <Wheel
          lit={places}
          label={`${places} of ${threshold} places are filled`}
          className="size-72 justify-self-center text-bone/34 sm:size-96"
        />
      </header>
      <div className="grid gap-16">
        {unlocked && <Nexus isMember={isMember} />}
        <section aria-labelledby="holders" className="grid gap-6">
          <h2 id="holders" className="font-display text-heading">
            The holders, by rank
          </h2>
          <div>
            <HolderList gathering={gathering} />
          </div>
        </section>
      </div>
    </div>
  );
}

function Mint({ address }: { address: string }) {
  return (
    <dl>
      <dt className="label text-dust">The mint of the token</dt>
      <dd className="mt-2 font-machine text-small text-verdigris wrap-anywhere">{address}</dd>
    </dl>
  );
}

/** Of when the list is, and whether it could be read since. */
function Freshness({ gathering: { readAt, isStale }, problem }: Omit<GatheredProps, 'isMember'>) {
  const now = useNow();
  const age = formatDuration(Math.max(0, now - Date.parse(readAt)));
  return (
    <div className="grid gap-1 text-note text-shade">
      <p>As of {formatMoment(readAt)}.</p>
      {isStale && (
        <p className="text-ember">This list is {age} old: the server could not read the chain since.</p>
      )}
      {problem && <p className="text-ember">It could not be fetched again. {problem}</p>}
    </div>
  );
}
