// When the vault locks by itself in this browser, and the keys of the keyboard.
import { useState } from 'react';
import type { User } from '../../../shared/nouns/user.ts';
import { useCommands } from '../../shell/commands.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { Section } from '../../ui/section.tsx';
import { locksWhenIdle, setDeviceOwner } from '../../vault/device/device.ts';
import { forgetKeptApp } from '../../vault/device/forgetting.ts';
import { type WhyStays, whyStays } from '../../vault/device/ways-back.ts';

const HINTS: Record<WhyStays | 'locks', string> = {
  locks:
    'For a device that others use. Locking takes the key out of this browser, in every tab; a recovery method brings it back.',
  'only-copy':
    'For a device that others use. It begins once you have a recovery method: until then this browser holds the only copy of your key.',
  unproved:
    'For a device that others use. It begins once a recovery method was set up or used in this browser, which knows of yours by the server’s word alone: press “Lock now” and unlock the vault by one.',
};

export function IdleLock({ user }: { user: User }) {
  const commands = useCommands();
  const [locks, setLocks] = useState(() => locksWhenIdle(user.id));
  function toggle(on: boolean) {
    setDeviceOwner(user.id, on ? 'shared' : 'own');
    if (on) {
      void import('../../vault/device/kept-blocks.ts').then((part) => part.forgetBlocks(user.id));
      void import('../../vault/device/kept-files.ts').then((part) => part.forgetFiles(user.id));
      void forgetKeptApp();
    }
    setLocks(on);
  }
  return (
    <Section title="This device" says="Kept in this browser, for this browser alone.">
      <Checkbox
        label="Lock the vault after 30 minutes without a touch"
        hint={HINTS[whyStays(user) ?? 'locks']}
        checked={locks}
        onChange={(event) => toggle(event.target.checked)}
      />
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => void commands?.lock()}>Lock now</Button>
        <Button onClick={() => commands?.show('keys')}>Keyboard shortcuts</Button>
      </div>
    </Section>
  );
}
