// The list of drafts: each can be opened or discarded, unless a form of this page or of another tab has it.
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { Button } from '../../ui/button.tsx';
import { draftNames, formOf, loadDraft, watchDrafts } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import { handOver, LINE_DRAFT } from './begun.ts';
import { type DraftKind, draftKind, draftWords } from './draft-kinds.ts';
import { askForDraft, dropFreeDraft, keepAsDraft, slotsInUse } from './draft-slots.ts';

interface Row {
  slot: string;
  kind: DraftKind;
  /** As it was kept; null where no key opens it. */
  draft: unknown;
  words: string[];
  /** Where a form stands open that has it. */
  open: 'here' | 'elsewhere' | null;
  /** It is dropped, and can be brought back for as long as this list is shown. */
  discarded: boolean;
}

/** The drafts of this browser, as they are now. */
function useDraftRows(isListed: (slot: string) => boolean) {
  const vault = useVault();
  const uid = vault.user.id;
  const [rows, setRows] = useState<Row[]>([]);
  const looks = useRef(0);

  const look = useEffectEvent(async () => {
    looks.current += 1;
    const turn = looks.current;
    const { here, elsewhere } = await slotsInUse(uid);
    const found = draftNames(uid).flatMap((slot) => {
      const kind = isListed(slot) ? draftKind(slot) : null;
      return kind ? [{ slot, kind }] : [];
    });
    const opened = await Promise.all(
      found.map(async ({ slot, kind }): Promise<Row> => {
        const draft = await loadDraft<unknown>(uid, slot, vault.contentKey, () => olderKeys(vault));
        const open = here.has(slot) ? 'here' : elsewhere.has(slot) ? 'elsewhere' : null;
        return { slot, kind, draft, words: draftWords(draft), open, discarded: false };
      }),
    );
    // What is in the line of this page is read there, and a form without a word is no draft to come back to.
    const isRow = ({ slot, words, draft, open }: Row) =>
      (words.length > 0 || draft === null) && !(open === 'here' && formOf(slot) === LINE_DRAFT);
    if (turn === looks.current) setRows(opened.filter(isRow));
  });

  useEffect(() => {
    const again = () => void look();
    again();
    const end = watchDrafts(uid, again);
    // A form of another tab may have been closed meanwhile.
    window.addEventListener('focus', again);
    return () => {
      end();
      window.removeEventListener('focus', again);
    };
  }, [uid]);

  return { rows, look };
}

export default function DraftsList({ isListed }: { isListed: (slot: string) => boolean }) {
  const vault = useVault();
  const uid = vault.user.id;
  const [, navigate] = useLocation();
  const { rows, look } = useDraftRows(isListed);
  const [gone, setGone] = useState<Row[]>([]);
  const id = useId();

  function open({ slot, kind, draft }: Row) {
    if (formOf(slot) === LINE_DRAFT) {
      handOver(vault, { words: String(draft), slot });
      return navigate('/memory-vault/new');
    }
    askForDraft(uid, slot);
    navigate(kind.isChange ? kind.list : `${kind.list}/new`);
  }

  async function discard(row: Row) {
    if (await dropFreeDraft(uid, row.slot)) setGone((before) => [...before, { ...row, discarded: true }]);
    else void look();
  }

  async function bringBack(row: Row) {
    if (await keepAsDraft(vault, formOf(row.slot), row.draft))
      setGone((before) => before.filter((other) => other !== row));
  }

  if (rows.length + gone.length < 2) return null;
  return (
    <section aria-labelledby={id} className="mb-10 border border-line bg-ink-1 px-5 py-4">
      <h2 id={id} className="caps text-dust">
        Drafts
      </h2>
      <ul className="mt-2">
        {rows.map((row) => (
          <DraftRow key={row.slot} row={row}>
            <Choices row={row} onOpen={() => open(row)} onDiscard={() => void discard(row)} />
          </DraftRow>
        ))}
        {gone.map((row) => (
          <DraftRow key={`${row.slot} gone`} row={row}>
            <span role="status" className="text-note text-dust">
              Discarded. You can bring it back until you leave this page.
            </span>
            {row.draft !== null && (
              <Button ref={takeFocus} tone="caps-lit" onClick={() => void bringBack(row)}>
                Bring it back
              </Button>
            )}
          </DraftRow>
        ))}
      </ul>
    </section>
  );
}

/** What can be done with a draft. */
function Choices({ row, onOpen, onDiscard }: { row: Row; onOpen: () => void; onDiscard: () => void }) {
  if (row.open !== null)
    return (
      <span className="text-note text-dust">
        {row.open === 'here' ? 'Open on this page' : 'Open in another tab'}
      </span>
    );
  return (
    <>
      {row.draft !== null && (
        <Button tone="caps-lit" onClick={onOpen} aria-label={`Open the draft ${row.words[0]}`}>
          Open
        </Button>
      )}
      <Button
        tone="caps"
        onClick={onDiscard}
        aria-label={`Discard the draft ${row.words[0] ?? 'that no key here opens'}`}
      >
        Discard
      </Button>
    </>
  );
}

/** The button that was pressed is gone: this one has the focus in its place. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });

function DraftRow({ row, children }: { row: Row; children: ReactNode }) {
  const [name = 'Unreadable with this key', excerpt] = row.words;
  return (
    <li className="flex flex-wrap items-baseline gap-x-6 gap-y-1 border-t border-line/60 py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p
          dir="auto"
          className={`truncate font-display text-[1.25rem]/[1.3] font-medium ${row.draft === null ? 'text-shade italic' : row.discarded ? 'text-dust line-through' : ''}`}
        >
          {name}
        </p>
        <p className="truncate text-note text-dust">
          {row.kind.label}
          {excerpt !== undefined && (
            <>
              {' · '}
              <bdi>{excerpt}</bdi>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-baseline gap-x-6">{children}</div>
    </li>
  );
}
