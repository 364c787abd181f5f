// The twenty-four words: shown once, and proved by three of them. They are never sent and never copied by the page.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { vaultKey } from '../../../shared/vault-key.ts';
import { send, sentenceOf } from '../../api/client.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { keyInHand } from '../key-in-hand.ts';
import { type OpenVault, useVault } from '../vault-context.ts';
import { WALLET_WARNING } from '../words-field.tsx';

const ASKED = 3;

/** Three different positions from 0 to 23, in order. */
function choosePositions(): number[] {
  const positions = Array.from({ length: 24 }, (_, index) => index);
  const random = crypto.getRandomValues(new Uint32Array(24));
  return positions
    .sort((a, b) => (random[a] ?? 0) - (random[b] ?? 0))
    .slice(0, ASKED)
    .sort((a, b) => a - b);
}

async function readWordsOf(vault: OpenVault): Promise<string[]> {
  const { wordsFromKey } = await import('../../../crypto/words.ts');
  return wordsFromKey(await keyInHand(vault));
}

export default function WordsDialog({ onClose }: { onClose: () => void }) {
  const vault = useVault();
  const { user, fingerprint } = vault;
  const words = useQuery({
    queryKey: ['opened', 'words', user.id, fingerprint],
    queryFn: () => readWordsOf(vault),
    gcTime: 0,
  });
  const [positions] = useState(choosePositions);
  const [proving, setProving] = useState(false);
  const [answers, setAnswers] = useState<string[]>(() => positions.map(() => ''));
  const [wrong, setWrong] = useState<number[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit() {
    if (!proving) return setProving(true);
    const misses = positions.flatMap((position, i) =>
      answers[i]?.trim().toLowerCase() === words.data?.[position] ? [] : [i],
    );
    setWrong(misses);
    if (misses.length > 0) return;
    setBusy(true);
    setProblem(null);
    try {
      await send(vaultKey.keepWords, { body: { fingerprint } });
      await refreshUser();
      toast({
        title: 'The words are yours',
        description: 'Keep them where fire and curiosity do not reach.',
      });
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="The twenty-four words"
      description={
        proving
          ? 'From the paper, not from memory: three of them, so that both of us know they are written down.'
          : 'Write these down by hand, in order, and keep the paper apart from your devices. Whoever holds them holds the vault. They are shown this once.'
      }
      busy={busy}
      onSubmit={() => void submit()}
      footer={
        <>
          {proving ? (
            <Button onClick={() => setProving(false)} disabled={busy}>
              Show them again
            </Button>
          ) : (
            <Button onClick={onClose}>Later</Button>
          )}
          <Button type="submit" tone="primary" busy={busy} disabled={!words.data}>
            {proving ? 'Prove it' : 'I have written them down'}
          </Button>
        </>
      }
    >
      {words.isPending && <Spinner />}
      {words.data && !proving && (
        <>
          {/* On a narrow screen the list scrolls; the keyboard must be able to do it. */}
          <ol
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take focus
            tabIndex={0}
            aria-label="Your words"
            className="grid grid-cols-2 gap-x-6 gap-y-1.5 border border-line bg-ink-0 p-5 font-machine text-body normal-nums sm:grid-cols-4"
          >
            {words.data.map((word, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word can stand there twice; its place is what it is
              <li key={i} className="flex gap-3">
                <span className="w-6 text-right text-shade">{i + 1}</span>
                {word}
              </li>
            ))}
          </ol>
          <p className="text-note text-dust">{WALLET_WARNING}</p>
        </>
      )}
      {proving &&
        positions.map((position, i) => (
          <TextField
            key={position}
            label={`Word ${position + 1}`}
            value={answers[i] ?? ''}
            onChange={(event) =>
              setAnswers(answers.map((answer, j) => (j === i ? event.target.value : answer)))
            }
            error={
              wrong.includes(i) ? `That is not word ${position + 1}. Look at the paper again.` : undefined
            }
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        ))}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
