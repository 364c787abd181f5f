// What the server has to say in passing. One word at a time: a new one takes the place of the one before. The store knows
// nothing of React, so that anything may speak; it must never be given secret text.

/** `plain` tells, `info` explains, `destructive` warns. */
export type ToastTone = 'plain' | 'destructive' | 'info';

export interface ToastWords {
  title: string;
  description?: string | undefined;
  tone?: ToastTone | undefined;
  /** One thing that can be done about it, until it leaves. Whatever it does must be possible elsewhere, too. */
  action?: { label: string; run: () => void } | undefined;
  /** Whether it names a mistake in what is filled in: it leaves with the next change of that. */
  isMistake?: boolean | undefined;
}

export interface ToastEntry extends ToastWords {
  id: number;
  tone: ToastTone;
  /** False once dismissed: it is leaving, or has left, the screen. */
  open: boolean;
}

/** At most this many are kept, and shown, at once. */
export const toastLimit = 1;
/** How long one stays without being touched, in milliseconds. */
export const toastDuration = 5_000;
/** How long one stays that offers to do something, in milliseconds. */
export const toastActionDuration = 12_000;
/** How long a dismissed one is still kept, in milliseconds. */
export const toastRemoveDelay = 1_000_000;

/** A list of toasts that can be watched. */
export interface ToastStore {
  show(words: ToastWords): { id: number; dismiss: () => void };
  /** Dismisses one, or all of them. Unknown ids are ignored. */
  dismiss(id?: number): void;
  /** Dismisses what names a mistake: somebody has begun to correct it. */
  dismissMistake(): void;
  entries(): readonly ToastEntry[];
  subscribe(listener: () => void): () => void;
}

/** Makes an empty store. */
export function createToastStore(): ToastStore {
  let entries: readonly ToastEntry[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const removals = new Map<number, ReturnType<typeof setTimeout>>();

  function set(next: readonly ToastEntry[]) {
    entries = next;
    const kept = new Set(next.map((entry) => entry.id));
    for (const [id, timer] of removals) {
      if (kept.has(id)) continue;
      clearTimeout(timer);
      removals.delete(id);
    }
    for (const listener of listeners) listener();
  }

  function dismiss(id?: number) {
    const leaving = entries.filter((entry) => entry.open && (id === undefined || entry.id === id));
    if (leaving.length === 0) return;
    for (const entry of leaving) {
      const remove = () => set(entries.filter((other) => other.id !== entry.id));
      removals.set(entry.id, setTimeout(remove, toastRemoveDelay));
    }
    set(entries.map((entry) => (leaving.includes(entry) ? { ...entry, open: false } : entry)));
  }

  return {
    show(words) {
      lastId += 1;
      const id = lastId;
      set([{ ...words, id, tone: words.tone ?? 'plain', open: true }, ...entries].slice(0, toastLimit));
      return { id, dismiss: () => dismiss(id) };
    },
    dismiss,
    dismissMistake() {
      for (const { id, open, isMistake } of entries) if (open && isMistake) dismiss(id);
    },
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The page's own store. */
export const toasts = createToastStore();

/** Says something in passing, from anywhere. */
export const toast = toasts.show;
