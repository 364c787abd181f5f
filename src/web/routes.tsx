// Who sees which screen: the route table. The server answers statuses by the
// same table (shared/screens.ts).
import type { ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { User } from '../shared/nouns/user.ts';
import { LEGACY_PATH } from '../shared/screens.ts';
import Dashboard from './chambers/dashboard/page.tsx';
import { useUser } from './hooks/use-user.ts';
import { screen } from './screen.tsx';
import SignedIn from './signed-in.tsx';
import { later } from './ui/later.tsx';
import { Spinner } from './ui/spinner.tsx';

const Gate = screen('/enter', () => import('./chambers/gate/page.tsx'));
const Onboarding = later(() => import('./chambers/onboarding/page.tsx'), <Spinner screen />);
const MemoryVault = screen('/memory-vault', () => import('./chambers/memory-vault/page.tsx'));
const RelationshipLedger = screen(
  '/relationship-ledger',
  () => import('./chambers/relationship-ledger/page.tsx'),
);
const GhostMode = screen('/ghost-mode', () => import('./chambers/ghost-mode/page.tsx'));
const MythBuilder = screen('/myth-builder', () => import('./chambers/myth-builder/page.tsx'));
const SacredKeys = screen('/sacred-keys', () => import('./chambers/sacred-keys/page.tsx'));
const FinalBreath = screen('/final-breath', () => import('./chambers/final-breath/page.tsx'));
const LegacyScroll = screen('/legacy-scroll', () => import('./chambers/legacy-scroll/page.tsx'));
const Imports = screen('/imports', () => import('./chambers/imports/page.tsx'));
const RecentlyDeleted = screen('/recently-deleted', () => import('./chambers/recently-deleted/page.tsx'));
const Book = screen('/book', () => import('./chambers/book/page.tsx'));
const Administration = screen('/administration', () => import('./chambers/administration/page.tsx'));
const Outbox = screen('/outbox', () => import('./chambers/outbox/page.tsx'));
const QuantumSecurity = screen('/quantum-security', () => import('./chambers/quantum-security/page.tsx'));
const Legacy = screen('/legacy', () => import('./chambers/legacy/page.tsx'));
const ThirteenHolders = screen('/thirteen-holders', () => import('./chambers/thirteen-holders/page.tsx'));
const BlackScroll = screen('/black-scroll', () => import('./chambers/black-scroll/page.tsx'));
const Whisper = screen('/whisper', () => import('./chambers/whisper/page.tsx'));
const Shadow = screen('/shadow', () => import('./chambers/shadow/page.tsx'));
const TestVerification = screen('/test-verification', () => import('./chambers/test-verification/page.tsx'));
const StillHere = screen('/still-here', () => import('./chambers/still-here/page.tsx'));
const Sheets = screen('/sheets', () => import('./chambers/sheets/page.tsx'));
const Settings = screen('/settings', () => import('./chambers/settings/page.tsx'));
const Checkout = screen('/checkout', () => import('./chambers/checkout/page.tsx'));
const Wall = later(() => import('./chambers/not-found/wall.tsx'), <Spinner screen />);
const CommandKeys = later(() => import('./shell/command-keys-part.tsx'), <Spinner screen />);
const Kit = import.meta.env.DEV ? later(() => import('./chambers/kit/page.tsx')) : null;

/** For visitors and members alike. */
const OPEN = [
  ['/thirteen-holders', ThirteenHolders],
  ['/black-scroll', BlackScroll],
  ['/whisper', Whisper],
  ['/shadow', Shadow],
  ['/test-verification', TestVerification],
] as const;

export function Routes() {
  const [path] = useLocation();
  return (
    <Switch>
      <Route path="/enter" component={Gate} />
      <Route path={LEGACY_PATH} component={Legacy} />
      {/* Also where a mail filter has glued the token on. */}
      <Route path={/^\/still-here(?:%[^/]*)?$/} component={StillHere} />
      <Route path={/^\/sheets(?:%[^/]*)?$/} component={Sheets} />
      {OPEN.map(([path, Screen]) => (
        <Route key={path} path={path}>
          <ForAllButInitiates>
            <Screen />
          </ForAllButInitiates>
        </Route>
      ))}
      {Kit && <Route path="/kit" component={Kit} />}
      <Route>
        <SignedIn path={path} wall={<Wall />}>
          {(user) => <Chambers user={user} />}
        </SignedIn>
      </Route>
    </Switch>
  );
}

/** A screen for visitors and for members, outside every vault: whoever still has to answer the questions finds a wall. */
function ForAllButInitiates({ children }: { children: ReactNode }) {
  const user = useUser();
  if (user.isPending) return <Spinner screen />;
  if (!user.data) return children;
  return user.data.onboardingComplete ? <CommandKeys user={user.data}>{children}</CommandKeys> : <Wall />;
}

function Chambers({ user }: { user: User }) {
  if (!user.onboardingComplete) return <Onboarding />;
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/memory-vault/:entry?" component={MemoryVault} />
      <Route path="/relationship-ledger/*?" component={RelationshipLedger} />
      <Route path="/ghost-mode/:new?" component={GhostMode} />
      <Route path="/myth-builder/:entry?" component={MythBuilder} />
      <Route path="/sacred-keys/:new?" component={SacredKeys} />
      <Route path="/final-breath/:new?" component={FinalBreath} />
      <Route path="/legacy-scroll/:new?" component={LegacyScroll} />
      <Route path="/imports" component={Imports} />
      <Route path="/recently-deleted" component={RecentlyDeleted} />
      <Route path="/book" component={Book} />
      <Route path="/administration" component={Administration} />
      <Route path="/outbox" component={Outbox} />
      <Route path="/quantum-security" component={QuantumSecurity} />
      <Route path="/settings/:group?" component={Settings} />
      <Route path="/checkout" component={Checkout} />
    </Switch>
  );
}
