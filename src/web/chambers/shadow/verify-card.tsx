// The phrase of the second scroll. The server compares it; no part of it is in this page.
import { type FormEvent, useState } from 'react';
import { game, type Revealed } from '../../../shared/nouns/game.ts';
import { formatDuration, SECOND } from '../../../shared/time.ts';
import { ApiError, refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast, toasts } from '../../ui/toast-store.ts';

export function VerifyCard({ onRevealed }: { onRevealed: (revealed: Revealed) => void }) {
  const { send } = useApi();
  const now = useNow('ticking');
  const [phrase, setPhrase] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [lockedUntil, setLockedUntil] = useState(0);
  const isLocked = lockedUntil > now;

  function refuse() {
    toast({
      title: 'Invalid Code',
      description: 'The shadow requires the correct phrase or hex',
      tone: 'destructive',
      isMistake: true,
    });
  }

  async function verify(event: FormEvent) {
    event.preventDefault();
    if (busy || isLocked) return;
    setProblem(null);
    if (phrase.trim() === '') {
      refuse();
      return;
    }
    setBusy(true);
    try {
      onRevealed(await send(game.verify, { body: { phrase } }));
      setPhrase('');
    } catch (error) {
      if (refusedAs(error, 'wrong-phrase')) refuse();
      else if (refusedAs(error, 'too-many') && error instanceof ApiError && error.retryAfter !== null)
        setLockedUntil(Date.now() + error.retryAfter * SECOND);
      else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section aria-labelledby="phrase" className="border border-line bg-ink-1 p-6 sm:p-9">
      <form
        noValidate
        onInput={toasts.dismissMistake}
        onSubmit={(event) => void verify(event)}
        className="grid gap-6"
      >
        <header className="grid gap-3">
          <h2 id="phrase" className="font-display text-heading font-medium">
            The phrase
          </h2>
          <p className="text-dust">
            Or say what the first scroll told you, in words or in hex. Wrong phrases make you wait, longer
            each time, and nobody else.
          </p>
        </header>
        <TextField
          label="Phrase or hex"
          value={phrase}
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setPhrase(event.target.value)}
        />
        <div>
          <Button type="submit" tone="primary" busy={busy} busyLabel="Verifying" disabled={isLocked}>
            Verify & Unlock
          </Button>
        </div>
        <Problem>
          {isLocked
            ? `The shadow does not listen for ${formatDuration(lockedUntil - now, 'second')}: too many wrong phrases came from your address.`
            : problem}
        </Problem>
      </form>
    </section>
  );
}
