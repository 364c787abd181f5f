// The step before a key is changed: at least one recovery method to the new key, proved while the old one still holds.
import { type ReactNode, useMemo, useState } from 'react';
import { wordsFromKey } from '../../../../crypto/words.ts';
import type { Wrap } from '../../../../crypto/wrap.ts';
import type { User } from '../../../../shared/nouns/account.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Sigil, type SigilName } from '../../../ui/sigil.tsx';
import { PasskeyCancelled } from '../passkey.ts';
import { passkeysSupported } from '../passkeys-supported.ts';
import { wrapByPasskey, wrapByPassphrase } from './new-ways.ts';
import { COUNTS_LATER, PassphrasePart, WordsPart } from './recovery-parts.tsx';
import type { NewWays, NextKey } from './regenerate.ts';

interface StepProps {
  user: User;
  next: NextKey;
  ways: NewWays;
  onWays: (ways: NewWays) => void;
  onClose: () => void;
  onBegin: () => void;
  /** Names what begins. */
  beginLabel: string;
  destructive: boolean;
}

type Part = 'list' | 'passphrase' | 'words';

export function RecoveryStep(props: StepProps) {
  const { user, next, ways, onWays, onClose } = props;
  const [part, setPart] = useState<Part>('list');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const words = useMemo(() => wordsFromKey(next.key), [next]);

  function show(which: Part) {
    setProblem(null);
    setPart(which);
  }

  async function prove(work: () => Promise<Wrap | null>) {
    setBusy(true);
    setProblem(null);
    try {
      const wrapped = await work();
      if (!wrapped) {
        return setProblem('This passkey signs you in, but cannot open the vault. Choose another way.');
      }
      // The same passkey, touched again, counts once.
      const sameWay = (other: Wrap) => JSON.stringify(other.params) === JSON.stringify(wrapped.params);
      onWays({ ...ways, wraps: [...ways.wraps.filter((other) => !sameWay(other)), wrapped] });
      show('list');
    } catch (error) {
      setProblem(error instanceof PasskeyCancelled ? error.message : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  if (part === 'passphrase') {
    return (
      <PassphrasePart
        busy={busy}
        problem={problem}
        onProve={(passphrase) =>
          void prove(() => wrapByPassphrase(next.vault.api, next.key, user.name ?? '', passphrase))
        }
        onBack={() => show('list')}
        onClose={onClose}
      />
    );
  }
  if (part === 'words') {
    return (
      <WordsPart
        words={words}
        name={user.name}
        onKept={() => {
          onWays({ ...ways, wordsKept: true });
          show('list');
        }}
        onBack={() => show('list')}
        onClose={onClose}
      />
    );
  }
  return (
    <WayList
      {...props}
      busy={busy}
      problem={problem}
      onPasskey={() => void prove(() => wrapByPasskey(next.vault.api, next.key))}
      onShow={show}
    />
  );
}

interface ListProps extends StepProps {
  busy: boolean;
  problem: string | null;
  onPasskey: () => void;
  onShow: (part: Part) => void;
}

/** What can be proved, what is, and the button that begins once something is. */
function WayList(props: ListProps) {
  const { user, ways, busy, problem, onClose, onPasskey, onShow } = props;
  const passkeys = ways.wraps.filter(({ method }) => method === 'passkey').length;
  const proved = ways.wordsKept || ways.wraps.length > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Recovery for the new key"
      description={`Your recovery methods so far open the old key only. Confirm at least one for the new key, better two. ${COUNTS_LATER}`}
      busy={busy}
      onSubmit={() => proved && props.onBegin()}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            tone={props.destructive ? 'destructive' : 'primary'}
            disabled={!proved || busy}
          >
            {props.beginLabel}
          </Button>
        </>
      }
    >
      <ul className="grid border-t border-line">
        {passkeysSupported() && user.passkeyCount > 0 && (
          <Way
            sigil="touch"
            title="A passkey"
            proved={passkeys > 0}
            says={passkeys > 1 ? `${passkeys} proved.` : 'One touch of a passkey that is kept here.'}
          >
            <Button size="small" busy={busy} onClick={onPasskey}>
              {passkeys > 0 ? 'Touch another' : 'Touch it'}
            </Button>
          </Way>
        )}
        {user.name !== null && (
          <Way
            sigil="key"
            title="Your passphrase"
            proved={ways.wraps.length > passkeys}
            says={`The passphrase of ${user.name}.`}
          >
            {ways.wraps.length === passkeys && (
              <Button size="small" disabled={busy} onClick={() => onShow('passphrase')}>
                Type it
              </Button>
            )}
          </Way>
        )}
        <Way
          sigil="scroll"
          title="The new twenty-four words"
          proved={ways.wordsKept}
          says="The new key itself, as words on paper."
        >
          {!ways.wordsKept && (
            <Button size="small" disabled={busy} onClick={() => onShow('words')}>
              Write them down
            </Button>
          )}
        </Way>
      </ul>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

interface WayProps {
  sigil: SigilName;
  title: string;
  proved: boolean;
  says: string;
  children?: ReactNode;
}

function Way({ sigil, title, proved, says, children }: WayProps) {
  return (
    <li className="grid grid-cols-[auto_1fr] items-start gap-x-5 gap-y-3 border-b border-line/60 py-5 sm:grid-cols-[auto_1fr_auto] sm:items-center">
      <Sigil name={sigil} className={`size-10 ${proved ? 'text-ember' : 'text-shade'}`} />
      <div className="min-w-0">
        <h3 className="font-display text-[1.375rem]/[1.2] font-medium wrap-anywhere">{title}</h3>
        <p className="text-note text-dust wrap-anywhere" role="status">
          {proved ? 'Confirmed for the new key.' : says}
        </p>
      </div>
      <div className="max-sm:col-start-2">{children}</div>
    </li>
  );
}
