// Destroying the vault: says what goes and what does not, wants a word, and leaves nothing in this browser.
import { type ReactNode, useRef, useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { DESTROY_WORD, vault } from '../../../shared/nouns/vault.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { everythingInAVault } from '../../../vault/kinds/vault-kinds.ts';
import { useApi } from '../../api/services.tsx';
import { Button } from '../../ui/button.tsx';
import { capitalised } from '../../ui/capitalised.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { Untold } from '../../vault/legacy/end-all-sisters.ts';
import { readSisterMemory } from '../../vault/legacy/sister-device.ts';
import { leaveForGood } from '../../vault/session/leave-for-good.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { type FoundScrolls, hasScrollsToEnd, useFoundScrolls } from './found-scrolls.ts';
import { ScrollsChoice, type ScrollsEnd } from './scrolls-choice.tsx';

const hasLetters = (found: FoundScrolls) =>
  typeof found !== 'string' && found.watching + found.released + found.dormant > 0;

/** What is to be known before; null where every letter was ended at every sister. */
function untoldWords({ hosts, mayBeMore }: Untold): string | null {
  const orElse = 'Try again later, or press again to destroy the vault all the same.';
  if (hosts.length > 0)
    return `${hosts.join(', ')} ${hosts.length === 1 ? 'was' : 'were'} not reached, or may keep what this server does not show, and may send letters that you have left with sisters once nothing is heard of you. ${orElse}`;
  return mayBeMore
    ? `Not every letter opens here as you have sealed it. If you have left one with sisters, they cannot be told from here, and may send it once nothing is heard of you. ${orElse}`
    : null;
}

interface DestroyVaultProps {
  /** Offers to export first; closes the question by `close`. */
  exportFirst?: (close: () => void) => ReactNode;
}

export function DestroyVault({ exportFirst }: DestroyVaultProps) {
  const { send } = useApi();
  const opened = useVault();
  const { user } = opened;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [scrolls, setScrolls] = useState<ScrollsEnd | null>(null);
  const found = useFoundScrolls(open);
  // A second press means it in spite of what the first one was told.
  const toldOfSisters = useRef(false);

  async function destroy() {
    setBusy(true);
    setProblem(null);
    try {
      // What is to be released is to be sent; else nobody could reach them once the letters’ keys are gone.
      const mayHaveSisters =
        hasLetters(found) || hasScrollsToEnd(found) || readSisterMemory(user.id) !== null;
      if (scrolls !== 'release' && mayHaveSisters && !toldOfSisters.current) {
        const { endAllSisters } = await import('../../vault/legacy/end-all-sisters.ts');
        const says = untoldWords(await endAllSisters(opened));
        if (says !== null) {
          toldOfSisters.current = true;
          setBusy(false);
          return setProblem(says);
        }
      }
      await send(vault.destroy, { body: { confirm: DESTROY_WORD, scrolls } });
      await leaveForGood(user.id);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  }

  return (
    <>
      <div>
        <Button
          tone="destructive"
          onClick={() => {
            setProblem(null);
            setScrolls(null);
            toldOfSisters.current = false;
            setOpen(true);
          }}
        >
          Destroy Vault
        </Button>
      </div>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        onConfirm={() => void destroy()}
        title="Destroy the vault?"
        description="From this moment nobody can open anything in it, and all of it is deleted for good. Nobody can bring it back, and this server cannot either."
        confirmLabel="Destroy Vault"
        busy={busy}
        busyLabel="Destroying"
        word={DESTROY_WORD}
        ready={found !== 'asking' && (!hasScrollsToEnd(found) || scrolls !== null)}
        error={problem}
      >
        <dl className="grid gap-5">
          <div>
            <dt className="label text-dust">What goes</dt>
            <dd className="mt-2">
              {capitalised(everythingInAVault)}, and whatever others have left for you. Your one-time links
              open nothing any more, and letters that do not watch are never sent. Your key’s envelope, your
              ways of signing in, your sessions and your account go with them, and this browser forgets your
              key and your drafts.
            </dd>
            <LettersLost found={found} />
          </div>
          <div>
            <dt className="label text-dust">What stays</dt>
            <dd className="mt-2">
              Deleting a large vault takes this server some minutes; nobody can reach it meanwhile. Backups
              that an administrator of this server has made until now still hold the sealed words, until they
              are deleted. Whoever opened a one-time link may have kept what they read. A passkey stays listed
              on your device until you delete it there.
            </dd>
          </div>
        </dl>
        {hasScrollsToEnd(found) && (
          <ScrollsChoice found={found} value={scrolls} onChange={setScrolls} disabled={busy} />
        )}
        {exportFirst?.(() => setOpen(false))}
      </ConfirmDialog>
    </>
  );
}

/** How many letters are among what goes: the vault's own, and those that only it can open. */
function LettersLost({ found }: { found: FoundScrolls }) {
  if (found === 'asking' || found === 'unknown') return null;
  const own = found.watching + found.released + found.dormant;
  const parts = [
    ...(own > 0 ? [`${counted(own, 'letter', 'letters')} that you wrote as legacy scrolls`] : []),
    ...(found.whispers > 0 ? [`${counted(found.whispers, 'whisper', 'whispers')} left for you`] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <dd className="mt-2">You lose {parts.join(' and ')}. An export takes along those that open here.</dd>
  );
}
