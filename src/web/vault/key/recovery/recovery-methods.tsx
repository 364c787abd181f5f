// The recovery methods to the vault key, as a list with one action each. Shown on the dashboard while there are too few,
// and in Sacred Settings always.
import { type ReactNode, useState } from 'react';
import { countRecoveryMethods } from '../../../../shared/nouns/recovery-methods.ts';
import { Button } from '../../../ui/button.tsx';
import { later } from '../../../ui/later.tsx';
import { formatDay } from '../../../ui/moments.ts';
import { Sigil, type SigilName } from '../../../ui/sigil.tsx';
import { waysBackHere } from '../../device/ways-back.ts';
import { useVault } from '../../session/vault-context.ts';
import { passkeysSupported } from '../passkeys-supported.ts';

const PasskeyDialog = later(() => import('./passkey-dialog.tsx'));
const PassphraseDialog = later(() => import('./passphrase-dialog.tsx'));
const WordsDialog = later(() => import('./words-dialog.tsx'));

type Open = 'words' | 'passkey' | 'passphrase' | null;

export function RecoveryMethods() {
  const { user } = useVault();
  const urgent = countRecoveryMethods(user) === 0;
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ul className="grid grid-cols-1 border-t border-line">
        <Way
          urgent={urgent}
          sigil="scroll"
          title="The twenty-four words"
          state={user.wordsKeptAt ? `Kept since ${formatDay(user.wordsKeptAt)}` : null}
          says="Your key itself, as words on paper. They open the vault on any device, even if you lose all others."
        >
          {!waysBackHere(user).words && (
            <Button size="small" onClick={() => setOpen('words')}>
              {user.wordsKeptAt === null ? 'Write them down' : 'Check them'}
            </Button>
          )}
        </Way>
        {passkeysSupported() && (
          <Way
            urgent={urgent}
            sigil="touch"
            title="A passkey"
            state={
              user.recoveryPasskeys > 0
                ? `${user.recoveryPasskeys} ${user.recoveryPasskeys === 1 ? 'passkey opens' : 'passkeys open'} this vault`
                : null
            }
            warning={
              user.recoveryPasskeys === 0 && user.passkeyCount > 0
                ? 'Your passkey signs you in, cannot open the vault.'
                : null
            }
            says="A finger, a face or a security key. One touch signs you in and opens the vault."
          >
            <Button size="small" onClick={() => setOpen('passkey')}>
              {user.recoveryPasskeys > 0 ? 'Add another' : 'Add a passkey'}
            </Button>
          </Way>
        )}
        <Way
          urgent={urgent}
          sigil="key"
          title="A name and a passphrase"
          state={user.recoveryPassphrase ? `Set, with the name ${user.name}` : null}
          says="For browsers without passkeys. Twelve characters or more, or six words."
        >
          <Button size="small" onClick={() => setOpen('passphrase')}>
            {user.recoveryPassphrase ? 'Change it' : 'Choose one'}
          </Button>
        </Way>
      </ul>
      {open === 'words' && <WordsDialog areKept={user.wordsKeptAt !== null} onClose={close} />}
      {open === 'passkey' && <PasskeyDialog onClose={close} />}
      {open === 'passphrase' && <PassphraseDialog onClose={close} />}
    </>
  );
}

interface WayProps {
  sigil: SigilName;
  title: string;
  /** Null while this way is not there yet. */
  state: string | null;
  says: string;
  /** What looks like this way, and is not. */
  warning?: string | null;
  /** There is no other way yet either. */
  urgent: boolean;
  children?: ReactNode;
}

function Way({ sigil, title, state, says, warning, urgent, children }: WayProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-5 gap-y-3 border-b border-line/60 py-5 sm:items-center">
      <Sigil
        name={sigil}
        className={`size-10 flex-none ${state ? 'text-ember' : urgent ? 'text-blood' : 'text-shade'}`}
      />
      {/* The button goes below where the words would have less room than they need, and in large letters the words go below
          their sign. */}
      <div className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-5 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-display text-[1.375rem]/[1.2] font-medium wrap-anywhere">{title}</h3>
          <p className="text-note text-dust">{state ?? says}</p>
          {warning && <p className="text-note text-ember">{warning}</p>}
        </div>
        {children}
      </div>
    </li>
  );
}
