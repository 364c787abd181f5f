// Sacred Settings: who you are here, your key and the recovery methods to it, your sessions, and the way out.
import { useState } from 'react';
import { maskKey } from '../../../crypto/vault-key.ts';
import { SESSION_DAYS_MAX, SESSIONS_MAX, type User } from '../../../shared/nouns/account.ts';
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import { PASSPHRASE_SECTION } from '../../../shared/screens.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { endsElsewhere } from '../../shell/ends-elsewhere.ts';
import LeaveDialog from '../../shell/leave-dialog.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/section.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { isDeviceLocked, loadKey, setDeviceLock } from '../../vault/key/key-slot.ts';
import MissingMethods from '../../vault/recovery/missing-methods.tsx';
import { RecoveryMethods } from '../../vault/recovery/recovery-methods.tsx';
import { RegenerateKey } from '../../vault/rotation/regenerate-key.tsx';
import { SIGN_OUT } from '../../vault/session/leaving.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { AccountActivity } from './account-activity.tsx';
import { Administrator } from './administrator.tsx';
import { Answers } from './answers.tsx';
import { Appearance } from './appearance.tsx';
import { DataManagement } from './data-management.tsx';
import { IdleLock } from './idle-lock.tsx';
import { Passkeys } from './passkeys.tsx';
import { RemovePassphrase } from './remove-passphrase.tsx';
import { Sessions } from './sessions.tsx';
import { SourceCode } from './source-code.tsx';
import { Storage } from './storage.tsx';
import { Subscription } from './subscription.tsx';
import { Wallet } from './wallet.tsx';

export default function SettingsPage() {
  const { user, fingerprint } = useVault();
  const [leaving, setLeaving] = useState(false);
  return (
    <Chamber
      title="Sacred Settings"
      lead="Keys, devices, export and signing out."
      dialogs={leaving && <LeaveDialog taking onClose={() => setLeaving(false)} />}
    >
      <div className="grid">
        <Appearance />
        <Profile user={user} />
        <EncryptionKey user={user} />
        <IdleLock user={user} />
        <Section
          name={PASSPHRASE_SECTION}
          title="Recovery: ways back"
          says="Recovery methods: what opens your vault when this browser does not hold the key. Keep at least two."
        >
          {countRecoveryMethods(user) === 0 && (
            <p className="border-l-4 border-blood pl-4 text-blood">
              This vault has no recovery method. If this browser loses the key, every entry is lost.
            </p>
          )}
          <MissingMethods user={user} fingerprint={fingerprint} />
          <RecoveryMethods />
          <Passkeys />
          <RemovePassphrase />
        </Section>
        <Section
          title="Sessions"
          says={`Where you are signed in, in ${SESSIONS_MAX} browsers at most. A session ends ${SESSION_DAYS_MAX} days after signing in, however it is used. Ending one does not remove the key from that browser.`}
        >
          <Sessions />
        </Section>
        <AccountActivity />
        <Answers />
        <Subscription />
        <Wallet />
        <Administrator user={user} />
        <Storage />
        <DataManagement />
        <SourceCode />
        <Section
          title="Sign out"
          says={`Your session ends. ${endsElsewhere(user)}Your key stays in this browser unless you remove it.`}
        >
          <div className="flex flex-wrap gap-4">
            <ButtonLink href={SIGN_OUT}>Sign Out</ButtonLink>
            <Button onClick={() => setLeaving(true)}>Sign out and remove the key from this browser</Button>
          </div>
        </Section>
      </div>
    </Chamber>
  );
}

function Profile({ user }: { user: User }) {
  const fromProvider =
    user.signedInBy === 'oidc' || [user.email, user.firstName, user.lastName].some((part) => part !== null);
  const none = fromProvider ? 'Not given' : 'Not kept here';
  return (
    <Section
      title="Profile"
      says={
        fromProvider
          ? 'E-mail and names are managed by your sign-in provider. This server only reads them.'
          : 'This server keeps no e-mail, first name or last name. A sign-in provider would manage them, and you sign in without one.'
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label="E-mail" readOnly value={user.email ?? ''} placeholder={none} />
        <span className="max-sm:hidden" />
        <TextField label="First name" readOnly value={user.firstName ?? ''} placeholder={none} />
        <TextField label="Last name" readOnly value={user.lastName ?? ''} placeholder={none} />
        {user.name !== null && <TextField label="Sign-in name" readOnly value={user.name} />}
        <TextField
          label="Account number"
          readOnly
          value={user.id}
          hint="Random. It says nothing about you."
        />
      </div>
    </Section>
  );
}

function EncryptionKey({ user }: { user: User }) {
  const { fingerprint } = useVault();
  const [locked, setLocked] = useState(() => isDeviceLocked(user.id));
  const key = loadKey(user.id);
  const mayLock = countRecoveryMethods(user) > 0;
  function toggle(on: boolean) {
    setDeviceLock(user.id, on);
    // Where nothing can be stored nothing was switched, and the box must not say so.
    setLocked(isDeviceLocked(user.id));
  }
  return (
    <Section
      title="Encryption and Security"
      says="The key that seals everything here. It leaves this browser only wrapped, that is, encrypted with a recovery method of yours."
    >
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <div>
          <dt className="label text-dust">Key</dt>
          <dd className="mt-2 font-machine text-body wrap-anywhere">
            {key ? maskKey(key) : 'Not in this browser'}
          </dd>
        </div>
        <div>
          <dt className="label text-dust">Fingerprint</dt>
          <dd className="mt-2 font-machine text-body">{fingerprint}</dd>
        </div>
      </dl>
      <Checkbox
        label="Keep no key on this device"
        hint={
          mayLock
            ? 'The key then lives in memory only, is forgotten after fifteen idle minutes or when the page is closed, and comes back by one of your recovery methods.'
            : 'This browser holds the only copy of your key. Add a recovery method first; then the key can be removed.'
        }
        checked={locked}
        disabled={!mayLock && !locked}
        onChange={(event) => toggle(event.target.checked)}
      />
      <div className="grid justify-items-start gap-3">
        <p className="text-note text-dust">
          If somebody may have seen your key or its words: a new key takes its place, and what you can read is
          sealed anew.
        </p>
        <RegenerateKey />
      </div>
    </Section>
  );
}
