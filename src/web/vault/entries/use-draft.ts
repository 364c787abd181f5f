// A form's value that survives a reload: sealed into this browser while it is written, and brought back once. Each form that
// stands open has a draft of its own, also where two tabs show the same form.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { useVault } from '../session/vault-context.ts';
import { type ClaimedSlot, claimSlot, draftAsked, timesAsked, watchAsked } from './draft-slots.ts';
import { changeOfForm, dropDraft, formOf, keepDraft, loadDraft } from './drafts.ts';

const PAUSE = 400;

function newInterruption(): { promise: Promise<null>; interrupt: () => void } {
  let interrupt = () => {};
  const promise = new Promise<null>((resolve) => {
    interrupt = () => resolve(null);
  });
  return { promise, interrupt };
}

/** A value that is kept as a draft, and what can be done with it. */
export interface Draft<T> {
  value: T;
  set: (value: T) => void;
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
  /** The slot, once there is one: what is written before that waits. */
  const slot = useRef<ClaimedSlot<T> | null>(null);
  const claiming = useRef<Promise<ClaimedSlot<T> | null>>(Promise.resolve(null));
  const isOver = useRef(false);
  const interruption = useRef(newInterruption());
  const unsaved = useRef<{ value: T } | null>(null);
  const kept = useRef<Promise<boolean>>(Promise.resolve(false));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const latest = useRef(value);
  latest.current = value;
  const now = useRef(vault);
  now.current = vault;
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const waiting = unsaved.current;
    if (!waiting || !slot.current) return;
    unsaved.current = null;
    kept.current = keepDraft(user.id, slot.current.name, now.current.contentKey, waiting.value);
  }, [user.id]);

  const release = useCallback(() => {
    slot.current?.release(kept.current);
    slot.current = null;
  }, []);

  const claim = useCallback(
    (wantsEmpty: () => boolean, isOver: () => boolean) => {
      const load = (name: string) =>
        loadDraft<T>(user.id, name, now.current.contentKey, () => olderKeys(now.current));
      const interrupted = interruption.current.promise;
      const claimed = claimSlot<T>(user.id, form, { load, wantsEmpty, interrupted, isOver });
      claiming.current = claimed.then((found) => {
        slot.current = found;
        return found;
      });
      return claiming.current;
    },
    [user.id, form],
  );

  useEffect(() => {
    let gone = false;
    isOver.current = false;
    interruption.current = newInterruption();
    // Whoever has begun to write meanwhile must not see it overwritten, and neither must what was written before.
    void claim(
      () => touched.current,
      () => gone && unsaved.current === null,
    ).then((claimed) => {
      if (!claimed) return;
      const { draft } = claimed;
      if (!touched.current) {
        if (begun) {
          unsaved.current = { value: begun(draft ?? fresh) };
          setValue(unsaved.current.value);
        } else if (draft !== null) setValue(draft);
        setRestored(draft !== null);
      }
      save();
      if (gone) release();
    });
    window.addEventListener('pagehide', save);
    return () => {
      gone = true;
      isOver.current = true;
      interruption.current.interrupt();
      window.removeEventListener('pagehide', save);
      save();
      release();
    };
  }, [claim, save, release, fresh, begun]);

  function put(next: T) {
    touched.current = true;
    interruption.current.interrupt();
    setValue(next);
    latest.current = next;
    unsaved.current = { value: next };
  }

  function set(next: T) {
    put(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(save, PAUSE);
  }

  function drop() {
    clearTimeout(timer.current);
    unsaved.current = null;
    if (slot.current) dropDraft(user.id, slot.current.name);
    setRestored(false);
  }

  async function bringBack(was: T) {
    setDiscarded(null);
    // Written since: it stays where it is kept.
    save();
    if (await kept.current) {
      release();
      await claim(
        () => true,
        () => false,
      );
    }
    put(was);
    setRestored(true);
    save();
    if (isOver.current) release();
  }

  return {
    value,
    set,
    drop,
    restored,
    discard(blank) {
      setDiscarded({ value });
      put(blank);
      drop();
      kept.current = Promise.resolve(false);
    },
    bringBack: discarded && (() => void bringBack(discarded.value)),
    async keep() {
      await claiming.current;
      unsaved.current = { value: latest.current };
      save();
      return kept.current;
    },
    slot: () => slot.current?.name ?? null,
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
