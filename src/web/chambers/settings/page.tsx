// Sacred Settings: who you are here, your key and the recovery methods to it, your sessions, and the way out. All of it in
// six groups, or one of these at an address of its own.
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { SESSION_DAYS_MAX, SESSIONS_MAX } from '../../../shared/nouns/session.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { type SettingsPath, settingsGroups } from '../../shell/settings-groups.ts';
import { later } from '../../ui/later.tsx';
import { Section } from '../../ui/section.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { AccountActivity } from './account-activity.tsx';
import { Answers } from './answers.tsx';
import { Appearance } from './appearance.tsx';
import { Contents } from './contents.tsx';
import { DataManagement } from './data-management.tsx';
import { EncryptionKey } from './encryption-key.tsx';
import { IdleLock } from './idle-lock.tsx';
import { KeptHere } from './kept-here.tsx';
import { Profile } from './profile.tsx';
import { Recovery } from './recovery.tsx';
import { Sessions } from './sessions.tsx';
import { SignOut } from './sign-out.tsx';
import { SourceCode } from './source-code.tsx';
import { Storage } from './storage.tsx';
import { Subscription } from './subscription.tsx';
import { Wallet } from './wallet.tsx';

// What splits and combines secrets is wanted where somebody looks at their guardians.
const Guardians = later(() => import('./guardians/guardians.tsx'));

const TITLE = 'Sacred Settings';

export default function SettingsPage() {
  const { user } = useVault();
  const [path] = useLocation();
  const parts: Record<SettingsPath, ReactNode> = {
    '/settings/appearance': <Appearance />,
    '/settings/account': (
      <>
        <Profile user={user} />
        <Answers />
        <SignOut />
      </>
    ),
    '/settings/recovery': (
      <>
        <EncryptionKey />
        <Recovery />
        <Guardians />
      </>
    ),
    '/settings/devices': (
      <>
        <IdleLock user={user} />
        <KeptHere />
        <Section
          title="Sessions"
          says={`Where you are signed in, in ${SESSIONS_MAX} browsers at most. A session ends ${SESSION_DAYS_MAX} days after signing in, however it is used. Ending one does not remove the key from that browser.`}
        >
          <Sessions />
        </Section>
        <AccountActivity />
      </>
    ),
    '/settings/plan': (
      <>
        <Subscription />
        <Storage />
        <Wallet />
      </>
    ),
    '/settings/data': (
      <>
        <DataManagement />
        <SourceCode />
      </>
    ),
  };
  const group = settingsGroups.find(({ to }) => to === path);
  return (
    <Chamber
      eyebrow={
        group && (
          <Link href="/settings" className="inline-block py-2 underline-offset-8 hover:underline">
            {TITLE}
          </Link>
        )
      }
      title={group?.name ?? TITLE}
      lead={group ? `${group.says}.` : 'Keys, devices, export and signing out.'}
    >
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[min(14rem,22%)_minmax(0,1fr)]">
        <Contents here={group?.to ?? null} isAdmin={user.isAdmin} />
        <div className="min-w-0">
          {group
            ? parts[group.to]
            : settingsGroups.map(({ to, name }) => (
                <div key={to} className="pb-6">
                  <h2 className="caps pb-4 text-dust">{name}</h2>
                  {parts[to]}
                </div>
              ))}
        </div>
      </div>
    </Chamber>
  );
}
