// The desk: a line to write in, what waits, what was written, and one door for each chamber. The line and the doors are there
// with the first view; what has to be fetched and opened comes after it.
import { useState } from 'react';
import { Link } from 'wouter';
import {
  countRecoveryMethods,
  INSIST_FROM_ENTRIES,
  WAYS_BACK_WANTED,
} from '../../../shared/nouns/recovery-methods.ts';
import type { SwitchState } from '../../../shared/nouns/switch-state.ts';
import { type Summary, summary } from '../../../vault/api/first-calls.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { preloadScreen } from '../../screen.tsx';
import { type ChamberPath, chamberPlaces } from '../../shell/chamber-places.ts';
import { PageNav } from '../../shell/page-nav.tsx';
import { useArrival } from '../../ui/arrival.tsx';
import { later } from '../../ui/later.tsx';
import { Shell } from '../../ui/page.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { RecoveryWanted } from '../../vault/key/recovery/recovery-wanted-part.tsx';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { paymentReturn } from '../../vault/plan/payment-return.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { Desk, TITLE } from './desk.tsx';
import { Line } from './line.tsx';

// Most visits have nothing to be told.
const Notices = later(() => import('./notices.tsx'));
const Lists = later(() => import('./lists.tsx'), <div className="min-h-96" />);
const PaymentNotice = later(() => import('./payment-notice.tsx'));
const MissingMethods = later(() => import('../../vault/key/recovery/missing-methods.tsx'));

type PlacedChamber = (typeof chamberPlaces)[number];

/** How many of something, in the word that fits; nothing while that is not known. */
const counted = (count: number | undefined, one: string, many: string) =>
  count === undefined ? '' : `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** What stands at the end of a card; counts come a moment later. */
function talliesOf(counts: Summary | undefined, watching: number): Partial<Record<ChamberPath, string>> {
  return {
    '/memory-vault': counted(counts?.memories, 'entry', 'entries'),
    '/relationship-ledger': counted(counts?.relationships, 'event', 'events'),
    '/ghost-mode': counted(counts?.ghosts, 'active', 'active'),
    '/myth-builder': counted(counts?.myths, 'story', 'stories'),
    '/sacred-keys': counted(counts?.shareableKeys, 'active', 'active'),
    '/final-breath': 'once only',
    '/legacy-scroll': `deadman's watch${watching > 0 ? ` · ${watching}` : ''}`,
  };
}

export default function DashboardPage() {
  const { fingerprint, user } = useVault();
  const counts = useAnswer(summary, { refetchOnMount: 'always' });
  // Most accounts have nothing at the payment provider, and load nothing for it.
  const [pays] = useState(() => paymentReturn() !== null || user.stripeSubscriptionId !== null);
  const {
    nearRelease: near = null,
    whispers = 0,
    unsentMessages: unsent = 0,
    kitsAsked: asked = 0,
    kitsStopped: stopped = 0,
    legacyScrolls: watching = user.watchingScrolls,
  } = counts.data ?? {};
  const state = useSwitch(watching > 0 || unsent > 0 || user.isAdmin);
  const [noticed, setNoticed] = useState(false);
  const speaks = state.data ? switchSpeaks(state.data) : state.isError;
  if (!noticed && (near !== null || whispers > 0 || asked > 0 || stopped > 0 || speaks || counts.isError))
    setNoticed(true);
  const tallies = talliesOf(counts.data, watching);
  const heading = useArrival(TITLE);
  const ways = countRecoveryMethods(user);
  // One way back and little to lose is said beside the entries, and not above them.
  const mayLoseMuch = counts.isError || sealedEntries(counts.data) >= INSIST_FROM_ENTRIES;
  const insists = ways === 0 || (ways < WAYS_BACK_WANTED && mayLoseMuch);
  return (
    <Shell nav={<PageNav />}>
      <title>{`${TITLE} · Latebra`}</title>
      <Desk heading={heading}>
        <Line />
        {/* One that was there stays to say what came of it. */}
        {noticed && <Notices {...{ near, asked, stopped, watching, unsent, state, whispers, counts }} />}
        {pays && <PaymentNotice />}
        <MissingMethods user={user} fingerprint={fingerprint} />
        {insists && <RecoveryWanted entries={sealedEntries(counts.data)} />}
        <Lists memories={counts.data?.memories} asksForRecovery={!insists} />
        <ul className="grid grid-cols-1 border-t border-l border-line sm:grid-cols-2 md:grid-cols-3">
          {chamberPlaces.map((place) => (
            <ChamberCard key={place.to} place={place} tally={tallies[place.to]} />
          ))}
        </ul>
      </Desk>
    </Shell>
  );
}

/** What would be lost with the key. */
const sealedEntries = (counts: Summary | undefined) =>
  counts ? counts.memories + counts.relationships + counts.myths + counts.ghosts : 0;

function ChamberCard({ place, tally }: { place: PlacedChamber; tally: string | undefined }) {
  const { to, sigil, name } = place;
  return (
    <li className="border-r border-b border-line bg-ink-1">
      <Link
        href={to}
        onPointerEnter={() => preloadScreen(to)}
        onFocus={() => preloadScreen(to)}
        className="group flex min-h-18 flex-wrap items-center gap-x-4 px-5 py-3 transition-colors hover:text-ember focus-visible:text-ember"
      >
        <Sigil name={sigil} className="size-6 shrink-0 text-dust transition-colors group-hover:text-ember" />
        <span className="min-w-0 font-display text-[min(1.375rem,7.5vw)]/[1.2] font-medium wrap-anywhere">
          {name}
        </span>
        <span className="ml-auto text-right text-note text-dust">{tally}</span>
      </Link>
    </li>
  );
}

/** Whether there is something to be said of the switch. */
const switchSpeaks = ({
  paused,
  outOfReachSince,
  calendar,
  noMailSince,
  noTextsSince,
  heldFor,
}: SwitchState): boolean =>
  [paused, outOfReachSince, calendar, noMailSince, noTextsSince].some((one) => one !== null) || heldFor > 0;
