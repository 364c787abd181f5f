// A form's value that survives a reload: sealed into this browser while it is written, and brought back once. Each form that
// stands open has a draft of its own, also where two tabs show the same form.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { changeOfForm, formOf } from '../session/drafts.ts';
import { useVault } from '../session/vault-context.ts';
import { draftAsked, timesAsked, watchAsked } from './draft-slots.ts';
import { KeptDraft } from './kept-draft.ts';

/** A value that is kept as a draft, and what can be done with it. */
export interface Draft<T> {
  value: T;
  set: (value: T) => void;
  /** Changes the value as it is by then, for what arrives while somebody writes. */
  update: (change: (value: T) => T) => void;
  /** Drops it for good, as once it was sealed. */
  drop: () => void;
  /** Whether a draft was brought back. */
  restored: boolean;
  /** Puts a blank value in its place. It can be brought back for as long as the form stands open. */
  discard: (blank: T) => void;
  /** Brings back what was discarded; null where nothing was. What was written since stays, as a draft of its own. */
  bringBack: (() => void) | null;
  /** Keeps the value as it is now. @returns whether this browser has it */
  keep: () => Promise<boolean>;
  /** The slot that it is kept in; null before there is one. */
  slot: () => string | null;
}

/**
 * Like `useState`, kept as a draft.
 * @param form names the form; each one that stands open has a slot of its own
 * @param begin puts what was begun elsewhere into the value, or into the draft that is brought back; read once
 */
export function useDraft<T>(form: string, initial: T | (() => T), begin?: (value: T) => T): Draft<T> {
  const vault = useVault();
  const { user } = vault;
  const [fresh] = useState(initial);
  const [begun] = useState(() => begin);
  const [value, setValue] = useState(() => begun?.(fresh) ?? fresh);
  const [restored, setRestored] = useState(false);
  const [discarded, setDiscarded] = useState<{ value: T } | null>(null);
  const touched = useRef(false);
  const isOver = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one for another account or form, and not for another key
  const kept = useMemo(() => new KeptDraft<T>(form, vault), [user.id, form]);
  kept.vault = vault;

  const latest = useRef(value);
  latest.current = value;

  useEffect(() => {
    let gone = false;
    isOver.current = false;
    kept.open();
    // What was begun elsewhere has left there: it is kept also where this form is left before it has a slot.
    if (begun && latest.current !== fresh) kept.write(latest.current);
    // Whoever has begun to write meanwhile must not see it overwritten, and neither must what was written before.
    void kept
      .claim(
        () => touched.current,
        () => gone && !kept.hasUnsaved,
      )
      .then((claimed) => {
        if (!claimed) return;
        const { draft } = claimed;
        if (!touched.current) {
          if (begun) {
            const next = begun(draft ?? fresh);
            if (next !== (draft ?? fresh)) kept.write(next);
            setValue(next);
          } else if (draft !== null) setValue(draft);
          setRestored(draft !== null);
        }
        kept.save();
        if (gone) kept.release();
      });
    window.addEventListener('pagehide', kept.save);
    return () => {
      gone = true;
      isOver.current = true;
      kept.interrupt();
      window.removeEventListener('pagehide', kept.save);
      kept.save();
      kept.release();
    };
  }, [kept, fresh, begun]);

  function put(next: T) {
    touched.current = true;
    kept.interrupt();
    setValue(next);
    latest.current = next;
    kept.write(next);
  }

  async function bringBack(was: T) {
    setDiscarded(null);
    // Written since: it stays where it is kept.
    await kept.leaveThere();
    put(was);
    setRestored(true);
    kept.save();
    if (isOver.current) kept.release();
  }

  return {
    value,
    set(next) {
      put(next);
      kept.saveSoon();
    },
    update(change) {
      put(change(latest.current));
      kept.saveSoon();
    },
    drop() {
      kept.drop();
      setRestored(false);
    },
    restored,
    discard(blank) {
      setDiscarded({ value });
      put(blank);
      kept.discard();
      setRestored(false);
    },
    bringBack: discarded && (() => void bringBack(discarded.value)),
    keep: () => kept.keep(() => latest.current),
    slot: () => kept.name,
  };
}

/** The seal number of the entry to which a change is asked for that stands as a draft; null for none. @param noun begins its form */
export function useChangeAsked(noun: string): string | null {
  const { user } = useVault();
  const asked = useSyncExternalStore(watchAsked, () => draftAsked(user.id));
  const change = changeOfForm(formOf(asked ?? ''));
  return change?.noun === noun ? change.sealId : null;
}

/** For a form that is a part of its page: the key under which it is shown, another one each time a draft is asked for. */
export const useDraftTurn = (form: string): number =>
  useSyncExternalStore(watchAsked, () => timesAsked(form));
