// Who sees which screen: the route table. The server answers statuses by the
// same table (shared/screens.ts).
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { account, type User } from '../shared/nouns/account.ts';
import { hasScreen, type Standing } from '../shared/screens.ts';
import { sentenceOf } from './api/api-error.ts';
import { useServices } from './api/services.tsx';
import { NotFoundPage } from './chambers/not-found/page.tsx';
import { refreshUser, useUser } from './hooks/use-user.ts';
import { screen } from './screen.tsx';
import { Shell } from './ui/page.tsx';
import { Spinner } from './ui/spinner.tsx';
import { ErrorState } from './ui/states.tsx';
import { CommandKeys } from './vault/session/command-keys.tsx';
import { ProofDialog } from './vault/session/proof-dialog.tsx';
import { SiteNav } from './vault/session/site-nav.tsx';
import { VaultGate } from './vault/session/vault-gate.tsx';

const Gate = lazy(() => import('./chambers/gate/page.tsx'));
const Onboarding = lazy(() => import('./chambers/onboarding/page.tsx'));
const Dashboard = screen('/', () => import('./chambers/dashboard/page.tsx'));
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
const Outbox = screen('/outbox', () => import('./chambers/outbox/page.tsx'));
const QuantumSecurity = screen('/quantum-security', () => import('./chambers/quantum-security/page.tsx'));
const Share = lazy(() => import('./chambers/share/page.tsx'));
const Legacy = lazy(() => import('./chambers/legacy/page.tsx'));
const ThirteenHolders = screen('/thirteen-holders', () => import('./chambers/thirteen-holders/page.tsx'));
const BlackScroll = screen('/black-scroll', () => import('./chambers/black-scroll/page.tsx'));
const Whisper = screen('/whisper', () => import('./chambers/whisper/page.tsx'));
const Shadow = screen('/shadow', () => import('./chambers/shadow/page.tsx'));
const TestVerification = screen('/test-verification', () => import('./chambers/test-verification/page.tsx'));
const StillHere = lazy(() => import('./chambers/still-here/page.tsx'));
const Settings = screen('/settings', () => import('./chambers/settings/page.tsx'));
const Checkout = screen('/checkout', () => import('./chambers/checkout/page.tsx'));
const Kit = import.meta.env.DEV ? lazy(() => import('./chambers/kit/page.tsx')) : null;

export function Routes() {
  const [path] = useLocation();
  return (
    <Suspense fallback={<Spinner screen />}>
      <Switch>
        <Route path="/enter" component={Gate} />
        <Route path="/share/:keyId" component={Share} />
        <Route path="/legacy/:publicId" component={Legacy} />
        {/* Also where a mail filter has glued the token on. */}
        <Route path={/^\/still-here(?:%[^/]*)?$/} component={StillHere} />
        <Route path="/thirteen-holders">
          <ForAllButInitiates>
            <ThirteenHolders />
          </ForAllButInitiates>
        </Route>
        <Route path="/black-scroll">
          <ForAllButInitiates>
            <BlackScroll />
          </ForAllButInitiates>
        </Route>
        <Route path="/whisper">
          <ForAllButInitiates>
            <Whisper />
          </ForAllButInitiates>
        </Route>
        {Kit && <Route path="/kit" component={Kit} />}
        <Route>
          <SignedIn path={path} />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** A screen for visitors and for members, outside every vault: whoever still has to answer the questions finds a wall. */
function ForAllButInitiates({ children }: { children: ReactNode }) {
  const user = useUser();
  if (user.isPending) return <Spinner screen />;
  if (user.data && !user.data.onboardingComplete) {
    return (
      <Shell nav={<SiteNav />}>
        <NotFoundPage />
      </Shell>
    );
  }
  return user.data ? <CommandKeys user={user.data}>{children}</CommandKeys> : children;
}

function SignedIn({ path }: { path: string }) {
  const services = useServices();
  const user = useUser();
  useEffect(() => services.api.installWatcher(() => void refreshUser(services)), [services]);
  if (user.isPending) return <Spinner screen />;
  if (user.isError) {
    return (
      <Shell>
        <ErrorState
          title="The server does not answer"
          onRetry={() => void user.refetch()}
          retrying={user.isFetching}
        >
          {sentenceOf(user.error)}
        </ErrorState>
      </Shell>
    );
  }
  if (user.data === null) {
    // The session has ended since the server chose this document; it has another one for visitors.
    // While developing, Vite gives everybody this same document.
    if (import.meta.env.DEV) window.location.assign(account.login.path);
    else window.location.reload();
    return <Spinner screen />;
  }
  const standing: Standing = user.data.onboardingComplete ? 'member' : 'onboarding';
  // Administration has a screen of its own, which is a wall to everybody else.
  const walled = path === '/outbox' && !user.data.isAdmin;
  if (!hasScreen(path, standing) || walled) {
    return (
      <Shell nav={<SiteNav />}>
        <NotFoundPage />
      </Shell>
    );
  }
  return (
    <>
      <VaultGate user={user.data}>
        <Chambers user={user.data} />
      </VaultGate>
      <ProofDialog user={user.data} />
    </>
  );
}

function Chambers({ user }: { user: User }) {
  if (!user.onboardingComplete) return <Onboarding />;
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/memory-vault/:entry?" component={MemoryVault} />
      <Route path="/relationship-ledger/:entry?" component={RelationshipLedger} />
      <Route path="/ghost-mode/:new?" component={GhostMode} />
      <Route path="/myth-builder/:entry?" component={MythBuilder} />
      <Route path="/sacred-keys/:new?" component={SacredKeys} />
      <Route path="/final-breath/:new?" component={FinalBreath} />
      <Route path="/legacy-scroll/:new?" component={LegacyScroll} />
      <Route path="/imports" component={Imports} />
      <Route path="/outbox" component={Outbox} />
      <Route path="/quantum-security" component={QuantumSecurity} />
      <Route path="/settings" component={Settings} />
      <Route path="/checkout" component={Checkout} />
      <Route path="/shadow" component={Shadow} />
      <Route path="/test-verification" component={TestVerification} />
    </Switch>
  );
}
