// The server shows another key than the one that this browser saw last. Says what has happened in plain words; nothing in
// this browser is overwritten unless its owner says so.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { inFours } from '../../../shared/in-fours.ts';
import type { User } from '../../../shared/nouns/account.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Room } from '../../ui/page.tsx';
import { loadPin } from '../device/key-pin.ts';
import { LeavingProblem } from '../session/leaving-problem.tsx';
import { useLeaving } from '../session/use-leaving.ts';
import type { Refused } from './look-at-key.ts';
import { keyToPutBack, putKeyBack } from './put-back.ts';
import { StartAnew } from './start-anew.tsx';

interface RefusedKeyProps {
  user: User;
  refused: Refused;
  /** Its owner wants the key that the server shows, and has yet to bring it back. */
  onUse: () => void;
  /** The key is kept now. */
  onSettled: () => void;
  onLookAgain: () => void;
}

const words: Record<Refused['why'], { title: string; lead: string }> = {
  none: {
    title: 'The server shows no key',
    lead: 'This browser has seen a key of your vault, and the server now says that there is none. Nothing in this browser was changed.',
  },
  older: {
    title: 'The server shows an older key',
    lead: 'This browser has seen a newer key of your vault. Nothing was opened, and the newer key was not overwritten.',
  },
  rival: {
    title: 'The server shows another key',
    lead: 'It has the same number as the key that this browser knows, and is a different one. Nothing was opened, and the key that you had was not overwritten.',
  },
  unvouched: {
    title: 'This vault has a key that the key before did not vouch for',
    lead: 'A new key is normally signed by the one that it replaces. This one is not, or too many came between. Nothing in this browser was changed yet.',
  },
  // Both follow, and never come here.
  known: { title: 'Your key', lead: '' },
  next: { title: 'Your key', lead: '' },
};

export function RefusedKey({ user, refused, onUse, onSettled, onLookAgain }: RefusedKeyProps) {
  const api = useApi();
  const { why, kept, accept } = refused;
  const [asking, setAsking] = useState<'put-back' | 'use' | 'anew' | null>(null);
  const pin = loadPin(user.id);
  const unvouched = why === 'unvouched';
  const mayPutBack = useQuery({
    queryKey: ['put-back', user.id, pin?.fingerprint],
    queryFn: async () => (await keyToPutBack(user.id)) !== null,
    enabled: !unvouched,
    gcTime: 0,
  });
  const close = () => setAsking(null);
  const leaving = useLeaving();
  return (
    <Room sigil="ash" width="prose" align="start" title={words[why].title} lead={words[why].lead}>
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Key term="This browser has seen" of={pin} />
        <Key term="The server shows" of={kept?.clientKey ?? null} />
      </dl>
      {unvouched ? <AboutUnvouched /> : <AboutOlder />}
      {mayPutBack.data === false && (
        <p className="text-note text-dust">
          This browser does not hold the newer key itself, so it cannot put it back. Another browser that
          holds it can.
        </p>
      )}
      <LeavingProblem of={leaving} />
      <div className="flex flex-wrap gap-4 max-sm:*:grow">
        {unvouched ? (
          <Button tone="primary" onClick={() => void leaving.go(user, false)}>
            Stop, and sign out
          </Button>
        ) : (
          <Button tone="primary" onClick={onLookAgain}>
            Look again
          </Button>
        )}
        {mayPutBack.data && <Button onClick={() => setAsking('put-back')}>Put the newer key back</Button>}
        {kept && (
          <Button onClick={() => setAsking('use')}>
            {unvouched ? 'Accept this key' : why === 'older' ? 'Use the older key' : 'Use the key shown'}
          </Button>
        )}
        {!kept && mayPutBack.data === false && (
          <Button onClick={() => setAsking('anew')}>Begin with a new key</Button>
        )}
      </div>
      {asking === 'put-back' && (
        <Question
          title="Put the newer key back"
          description="The server gets the newer key’s public part again. Entries that it shows under the older key count as yours and stay readable where the newer key has kept the older one. Entries written since the backup do not come back. Afterwards add your recovery methods again: those of the newer key are gone, and until then this browser keeps the key. Your other sessions end. Do this only if your administrator has told you that a backup was restored."
          confirmLabel="Put it back"
          busyLabel="Putting it back"
          work={() => putKeyBack(api, user, kept?.clientKey ?? null)}
          onDone={onSettled}
          onClose={close}
        />
      )}
      {asking === 'use' && (
        <Question
          title={unvouched ? 'Accept this key?' : 'Use the key that the server shows?'}
          description={
            unvouched
              ? 'From now on this browser takes this key for your vault’s. Have you compared the fingerprint with the one that your other browser shows under Sacred Settings? The key that stands here now is set aside, not deleted.'
              : 'From now on this browser takes this key for your vault’s. Do this only if your administrator has told you that a backup was restored. If you replaced this key because somebody may have seen it, replace it again afterwards. The newer key is set aside in this browser, not deleted.'
          }
          confirmLabel={unvouched ? 'Accept it' : 'Use it'}
          work={accept}
          onDone={accept ? onSettled : onUse}
          onClose={close}
        />
      )}
      <StartAnew user={user} previous={null} open={asking === 'anew'} onClose={close} />
    </Room>
  );
}

function AboutOlder() {
  return (
    <div className="grid gap-4">
      <p>
        Perhaps the administrator has restored a backup from before you changed your key. Perhaps the server
        is not telling the truth, and hopes that you go on with a key that somebody else has. Ask the
        administrator before you go on.
      </p>
    </div>
  );
}

function AboutUnvouched() {
  return (
    <div className="grid gap-4">
      <p>
        That happens when somebody pressed <i>I have none of these</i> and began with a new key. If it was
        you, on another device: compare the fingerprint above with the one that the other device shows under
        Sacred Settings. If it was not you, stop: somebody else may have entered your account.
      </p>
    </div>
  );
}

function Key({ term, of }: { term: string; of: { generation: number; fingerprint: string } | null }) {
  return (
    <div>
      <dt className="label text-dust">{term}</dt>
      <dd className="mt-2">
        {of ? `Key number ${of.generation.toLocaleString('en-GB')}` : 'No key'}
        {of && <span className="mt-1 block font-machine text-note">{inFours(of.fingerprint)}</span>}
      </dd>
    </div>
  );
}

interface QuestionProps {
  title: string;
  description: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  /** Null where there is nothing to be done yet. */
  work: (() => Promise<void>) | null;
  onDone: () => void;
  onClose: () => void;
}

function Question({ title, description, confirmLabel, busyLabel, work, onDone, onClose }: QuestionProps) {
  const attempt = useAttempt();
  async function confirm() {
    await work?.();
    onClose();
    onDone();
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void attempt.run(confirm)}
      {...{ title, description, confirmLabel }}
      busy={attempt.busy}
      busyLabel={busyLabel ?? 'A moment'}
      error={attempt.problem}
    />
  );
}
