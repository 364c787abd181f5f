// Backups that another application has sealed: each is opened with the passphrase that the application was used with.
import { useState } from 'react';
import type { ReadReply } from '../../imports/import-messages.ts';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/text-fields.tsx';

type LockedFile = ReadReply['locked'][number];

interface LockedFilesProps {
  locked: readonly LockedFile[];
  busy: boolean;
  onUnlock: (file: LockedFile, passphrase: string) => void;
}

export function LockedFiles({ locked, busy, onUnlock }: LockedFilesProps) {
  return locked.map((file) => (
    <LockedBackup key={file.name} file={file} busy={busy} onUnlock={(words) => onUnlock(file, words)} />
  ));
}

interface LockedBackupProps {
  file: LockedFile;
  busy: boolean;
  onUnlock: (passphrase: string) => void;
}

function LockedBackup({ file: { name, wrong }, busy, onUnlock }: LockedBackupProps) {
  const [passphrase, setPassphrase] = useState('');
  return (
    <form
      aria-label={name}
      className="grid max-w-prose justify-items-start gap-4 border-l border-ember/55 pl-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && passphrase !== '') onUnlock(passphrase);
      }}
    >
      <div>
        <p className="font-machine text-small wrap-anywhere">{name}</p>
        <p className="text-note text-dust">
          This backup is encrypted. The password of your Standard Notes account opens it, here in this
          browser. It is sent nowhere.
        </p>
      </div>
      <SecretField
        label="Password in Standard Notes"
        autoComplete="off"
        value={passphrase}
        error={wrong ? 'This password does not open the backup.' : undefined}
        // One that is disabled loses the focus.
        readOnly={busy}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <Button type="submit" busy={busy} busyLabel="Opening..." disabled={passphrase === ''}>
        Open
      </Button>
    </form>
  );
}
