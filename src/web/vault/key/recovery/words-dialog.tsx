// The twenty-four words: shown once, and proved by three of them. They are never sent and never copied by the page.

import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { vaultKey } from '../../../../shared/nouns/vault-key.ts';
import { keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { useApi } from '../../../api/services.tsx';
import { useAttempt } from '../../../hooks/use-attempt.ts';
import { refreshUser } from '../../../hooks/use-user.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { toast } from '../../../ui/toaster.tsx';
import { noteMethods } from '../../device/methods-set-here.ts';
import { type OpenVault, useVault } from '../../session/vault-context.ts';
import { RecoverySheet } from './recovery-sheet.tsx';
import { useWordsProof, WordsList, WordsQuestions } from './words-proof.tsx';

async function readWordsOf(vault: OpenVault): Promise<string[]> {
  const { wordsFromKey } = await import('../../../../crypto/words.ts');
  return wordsFromKey(await keyInHand(vault));
}

interface WordsDialogProps {
  onClose: () => void;
  /** The server says that they were proved, and this browser has not seen it: it begins with the questions. */
  areKept?: boolean;
}

export default function WordsDialog({ onClose, areKept = false }: WordsDialogProps) {
  const { send } = useApi();
  const vault = useVault();
  const { user, fingerprint } = vault;
  const words = useQuery({
    queryKey: ['opened', 'words', user.id, fingerprint],
    queryFn: () => readWordsOf(vault),
    gcTime: 0,
  });
  const proof = useWordsProof(words.data);
  const [proving, setProving] = useState(areKept);
  const { busy, problem, run } = useAttempt();
  // It has the focus while the words are shown: on a button, one press of Enter would put them away unread.
  const shown = useRef<HTMLDivElement>(null);

  function showAgain() {
    flushSync(() => setProving(false));
    shown.current?.focus();
  }

  async function submit() {
    if (!proving) return setProving(true);
    if (!proof.check()) return;
    await run(async () => {
      await send(vaultKey.keepWords, { body: { fingerprint } });
      await refreshUser(vault);
      noteMethods(user.id, fingerprint, { words: true });
      toast({
        title: 'Words confirmed',
        description: 'Keep the paper in a safe place.',
      });
      onClose();
    });
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          The <span className="whitespace-nowrap">twenty-four</span> words
        </>
      }
      description={
        proving
          ? 'From the paper, not from memory: three of them, so that it is certain that they are written down.'
          : 'Write these down by hand, in order, and keep the paper apart from your devices. Whoever holds them can open the vault. You can look at them again until you have confirmed them, and not afterwards.'
      }
      busy={busy}
      focusFirst={() => shown.current}
      onSubmit={() => void submit()}
      footer={
        <>
          {proving ? (
            <Button onClick={showAgain} disabled={busy}>
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
      {!proving && (
        <div
          ref={shown}
          tabIndex={-1}
          className="grid gap-6 focus-visible:shadow-none focus-visible:outline-hidden"
        >
          {words.isPending && <Spinner />}
          {words.data && <WordsList words={words.data} />}
          {words.data && <RecoverySheet words={words.data} name={user.name} />}
        </div>
      )}
      {proving && <WordsQuestions proof={proof} />}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
