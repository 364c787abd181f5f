// The chambers: one door for each place of the list, and the recovery methods while there are too few of them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { countRecoveryMethods, WAYS_BACK_WANTED } from '../../../shared/nouns/recovery-methods.ts';
import type { SwitchState } from '../../../shared/nouns/switch-state.ts';
import { type Summary, summary } from '../../../vault/api/first-calls.ts';
import { useApi } from '../../api/services.tsx';
import { preloadScreen } from '../../screen.tsx';
import { Chamber } from '../../shell/chamber.tsx';
import { type ChamberPath, chamberPlaces } from '../../shell/chamber-places.ts';
import { inFours } from '../../ui/in-fours.ts';
import { later } from '../../ui/later.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { paymentReturn } from '../../vault/plan/payment-return.ts';
import { RecoveryWanted } from '../../vault/recovery/recovery-wanted-part.tsx';
import { useVault } from '../../vault/session/vault-context.ts';

// Most visits have nothing to be told.
const Notices = later(() => import('./notices.tsx'));
const PaymentNotice = later(() => import('./payment-notice.tsx'));
const MissingMethods = later(() => import('../../vault/recovery/missing-methods.tsx'));

type PlacedChamber = (typeof chamberPlaces)[number];

/** What each chamber is for. */
const says: Record<ChamberPath, string> = {
  '/memory-vault': 'Texts that you keep, locked until a day if you like.',
  '/relationship-ledger': 'Moments with people, and their weight.',
  '/ghost-mode': 'Thoughts that vanish after some readings, or in time.',
  '/myth-builder': 'Stories made from your own words.',
  '/sacred-keys': 'One link, one opening, one reader.',
  '/final-breath': 'One message to yourself. Read once, then gone.',
  '/legacy-scroll': 'Letters to others, sent later.',
  '/thirteen-holders': 'Who has gathered, and what opens when all have.',
  '/black-scroll': 'The manifesto of Latebra, signed.',
  '/whisper': 'A recording for everybody, and yours as text.',
  '/quantum-security': 'What protects what, and where it ends.',
  '/settings': 'Keys, devices, export and signing out.',
};

interface Tally {
  count?: number | undefined;
  /** What is counted, where the label says something else. */
  unit?: string;
  label?: string;
}

/** How many of something, in the word that fits. */
const counted = (count: number | undefined, one: string, many: string): Tally =>
  count === undefined ? {} : { count, label: count === 1 ? one : many };

/** What stands at a card's foot; counts come a moment later. */
function talliesOf(counts: Summary | undefined): Partial<Record<ChamberPath, Tally>> {
  return {
    '/memory-vault': counted(counts?.memories, 'entry', 'entries'),
    '/relationship-ledger': counted(counts?.relationships, 'event', 'events'),
    '/ghost-mode': counted(counts?.ghosts, 'active', 'active'),
    '/myth-builder': counted(counts?.myths, 'story', 'stories'),
    '/sacred-keys': counted(counts?.shareableKeys, 'active', 'active'),
    '/final-breath': { label: 'once only' },
    '/legacy-scroll': { count: counts?.legacyScrolls, unit: 'watching', label: "deadman's watch" },
  };
}

export default function DashboardPage() {
  const { send } = useApi();
  const { fingerprint, user } = useVault();
  const counts = useQuery({
    queryKey: [summary.path],
    queryFn: () => send(summary, {}),
    refetchOnMount: 'always',
  });
  // Most accounts have nothing at the payment provider, and load nothing for it.
  const [pays] = useState(() => paymentReturn() !== null || user.stripeSubscriptionId !== null);
  const {
    nearRelease: near = null,
    whispers = 0,
    unsentMessages: unsent = 0,
    legacyScrolls: watching = user.watchingScrolls,
  } = counts.data ?? {};
  const state = useSwitch(watching > 0 || unsent > 0 || user.isAdmin);
  const [noticed, setNoticed] = useState(false);
  const speaks = state.data ? switchSpeaks(state.data) : state.isError;
  if (!noticed && (near !== null || whispers > 0 || speaks || counts.isError)) setNoticed(true);
  const tallies = talliesOf(counts.data);
  return (
    <Chamber
      title="The chambers"
      lead={
        <>
          What you write here is sealed in this browser before it is stored. Fingerprint of your key:{' '}
          <span className="font-machine text-small whitespace-nowrap text-bone">{inFours(fingerprint)}</span>
        </>
      }
    >
      {/* One that was there stays to say what came of it. */}
      {noticed && <Notices {...{ near, watching, unsent, state, whispers, counts }} />}
      {pays && <PaymentNotice />}
      <MissingMethods user={user} fingerprint={fingerprint} />
      {countRecoveryMethods(user) < WAYS_BACK_WANTED && (
        <RecoveryWanted entries={sealedEntries(counts.data)} />
      )}
      <ul className="grid border-t border-l border-line sm:grid-cols-2 md:grid-cols-3">
        {chamberPlaces.map((place) => (
          <ChamberCard key={place.to} place={place} {...tallies[place.to]} />
        ))}
      </ul>
    </Chamber>
  );
}

/** What would be lost with the key. */
const sealedEntries = (counts: Summary | undefined) =>
  counts ? counts.memories + counts.relationships + counts.myths + counts.ghosts : 0;

function ChamberCard({ place, count, unit, label }: Tally & { place: PlacedChamber }) {
  const { to, sigil, name } = place;
  return (
    <li className="border-r border-b border-line bg-ink-1">
      <Link
        href={to}
        onPointerEnter={() => preloadScreen(to)}
        onFocus={() => preloadScreen(to)}
        className="group grid h-full min-h-44 grid-rows-[auto_auto_1fr_auto] gap-2 bg-linear-to-t from-transparent to-transparent px-8 pt-9 pb-7 transition-colors hover:from-ember/8 focus-visible:from-ember/8 sm:min-h-70"
      >
        <Sigil name={sigil} className="mb-6 size-13 text-dust transition-colors group-hover:text-ember" />
        <h2 className="font-display text-[1.625rem]/[1.1] font-medium">{name}</h2>
        <p className="text-note text-dust">{says[to]}</p>
        {/* Without a number its label stands on the same line as beside one. */}
        <p className="mt-4 flex min-h-7 items-baseline before:font-display before:text-[1.75rem]/none before:font-light before:content-['\200b']">
          {count !== undefined && (
            <span className="font-display text-[1.75rem]/none font-light">
              {count.toLocaleString('en-GB')}
              {unit && <span className="font-text text-note text-dust"> {unit}</span>}
            </span>
          )}{' '}
          {label && <span className="caps ml-auto text-dust">{label}</span>}
        </p>
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
