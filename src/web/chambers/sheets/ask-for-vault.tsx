// What enough sheets do: they ask the server for a vault, whose owner is told and can stop it, and once the wait is over they
// give its twenty-four words. The secret that they make stays in this browser; what is sent are an address and a proof.
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { OpenError } from '../../../crypto/errors.ts';
import { kitAddress, kitClaim, unwrapUnderKit } from '../../../crypto/guardian-kit.ts';
import { wordsFromKey } from '../../../crypto/words.ts';
import { guardianKits } from '../../../shared/nouns/guardian-kits.ts';
import { formatDuration } from '../../../shared/time.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { useHeadingFocus } from '../../hooks/use-heading-focus.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { PrintedRecoverySheet } from '../../vault/key/recovery/printed-recovery-sheet.tsx';
import { WordsList } from '../../vault/key/recovery/words-proof.tsx';

/** How far it is. */
type Progress = { at: 'waiting'; remaining: number } | { at: 'stopped' } | { at: 'open'; words: string[] };

const UNKNOWN =
  'This server knows no vault that these sheets open. The kit was removed, or it was made elsewhere, or one of the sheets is wrong.';
const NOT_OPENED =
  'The server has given something that these sheets do not open. Try another sheet of the kit, and tell whoever runs the server.';

/** @throws ApiError, TypeError, OpenError where what the server gives is not sealed for these sheets */
async function askServer({ send }: ApiClient, secret: Uint8Array, again: boolean): Promise<Progress> {
  const [address, claim] = await Promise.all([kitAddress(secret), kitClaim(secret)]);
  const { state, remaining, wrap } = await send(guardianKits.ask, { body: { address, claim, again } });
  if (state === 'stopped') return { at: 'stopped' };
  if (state === 'waiting') return { at: 'waiting', remaining: remaining ?? 0 };
  return { at: 'open', words: wordsFromKey(await unwrapUnderKit(secret, wrap ?? '')) };
}

function why(error: unknown): string {
  if (refusedAs(error, 'not-found')) return UNKNOWN;
  return error instanceof OpenError ? NOT_OPENED : sentenceOf(error);
}

export default function AskForVault({ secret }: { secret: Uint8Array }) {
  const api = useApi();
  const [progress, setProgress] = useState<Progress | null>(null);
  const { busy, problem, run } = useAttempt(why);

  const ask = (again: boolean) =>
    run(async () => {
      setProgress(await askServer(api, secret, again));
    });

  // What was pressed is gone with what it stood in. The words are read to whoever goes to them, and to nobody else.
  const room = useHeadingFocus(progress?.at ?? 'before');
  return (
    <section
      aria-live={progress?.at === 'open' ? 'off' : 'polite'}
      className="border border-ember/55 p-5 text-left sm:p-8"
    >
      <div ref={room} className="grid justify-items-start gap-5">
        {progress === null && <Before busy={busy} onAsk={() => void ask(false)} />}
        {progress?.at === 'waiting' && (
          <Waiting remaining={progress.remaining} busy={busy} onAsk={() => void ask(false)} />
        )}
        {progress?.at === 'stopped' && <Stopped busy={busy} onAsk={() => void ask(true)} />}
        {progress?.at === 'open' && <Opened words={progress.words} />}
        <Problem>{problem}</Problem>
      </div>
    </section>
  );
}

interface StepProps {
  busy: boolean;
  onAsk: () => void;
}

const Title = ({ children }: { children: string }) => (
  <h2 className="font-display text-heading">{children}</h2>
);

const Before = ({ busy, onAsk }: StepProps) => (
  <>
    <Title>Ask for the vault</Title>
    <p>
      The vault’s owner is told now, and a wait of some days or weeks begins. If the owner shows any sign of
      life in it, it is stopped. If not, these sheets open the vault here after the wait, and you can read
      everything in it.
    </p>
    <p className="text-note text-dust">If you asked before, this asks how far the wait is.</p>
    <Button tone="primary" onClick={onAsk} busy={busy} busyLabel="Asking">
      Ask for the vault
    </Button>
  </>
);

const Waiting = ({ remaining, busy, onAsk }: StepProps & { remaining: number }) => (
  <>
    <Title>{`It opens in about ${formatDuration(remaining)}`}</Title>
    <p>
      The owner is told. Come back then with the same sheets; nothing needs to stay open meanwhile. Only the
      time for which this server runs is counted, and where no mail to the owner was accepted it is two weeks
      more, so it may take longer.
    </p>
    <Button onClick={onAsk} busy={busy} busyLabel="Asking">
      Ask how far it is
    </Button>
  </>
);

const Stopped = ({ busy, onAsk }: StepProps) => (
  <>
    <Title>It was stopped</Title>
    <p>
      Somebody has been active in the vault since it was asked for: its owner is there, or somebody else who
      can sign in. If you are certain that it was not the owner, you can ask again. They are told again, and
      the whole wait begins anew. That is possible a few times.
    </p>
    <Button onClick={onAsk} busy={busy} busyLabel="Asking">
      Ask again
    </Button>
  </>
);

function Opened({ words }: { words: readonly string[] }) {
  return (
    <>
      <Title>The words of the vault</Title>
      <p>
        These <span className="whitespace-nowrap">twenty-four</span> words open it. Print them or write them
        down before you go on, in their order. Whoever has them has the vault.
      </p>
      <div className="grid w-full gap-3">
        <WordsList words={words} />
      </div>
      <div className="flex flex-wrap gap-4">
        <ButtonLink href="/enter" target="_blank" rel="noopener" tone="primary">
          Open the vault here
        </ButtonLink>
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      <p className="text-note text-dust">
        A new tab opens. Choose “The twenty-four words” there, and type them.
      </p>
      {createPortal(<PrintedRecoverySheet words={words} name={null} />, document.body)}
    </>
  );
}
