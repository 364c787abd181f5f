// The key that seals the vault: what is shown of it, whether this device keeps it, and another one in its place.
import { useState } from 'react';
import { maskKey } from '../../../crypto/vault-key.ts';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/section.tsx';
import { isDeviceLocked, loadKey, setDeviceLock } from '../../vault/device/key-slot.ts';
import { WHY_STAYS, whyStays } from '../../vault/device/ways-back.ts';
import { RegenerateKey } from '../../vault/key/rotation/regenerate-key.tsx';
import { useVault } from '../../vault/session/vault-context.ts';

export function EncryptionKey() {
  const { user, fingerprint } = useVault();
  const [locked, setLocked] = useState(() => isDeviceLocked(user.id));
  const key = loadKey(user.id);
  const stays = whyStays(user);
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
          <dd className="mt-2 font-machine text-body wrap-anywhere">{fingerprint}</dd>
        </div>
      </dl>
      <Checkbox
        label="Keep no key on this device"
        hint={
          stays === null
            ? 'The key then lives in memory only, is forgotten after fifteen idle minutes or when the page is closed, and comes back by one of your recovery methods.'
            : WHY_STAYS[stays]
        }
        checked={locked}
        disabled={stays !== null && !locked}
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
