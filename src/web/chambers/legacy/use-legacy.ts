// A scroll as its recipient meets it: ask whether it was released, and when somebody presses, prove the card or the
// passphrase and open the letter here. Looking opens nothing, and the key itself is never sent.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Bytes } from '../../../crypto/encoding.ts';
import { OpenError } from '../../../crypto/errors.ts';
import type { ScrollAccess, ScrollStretching } from '../../../shared/nouns/scroll-recipients.ts';
import { formatDuration, SECOND } from '../../../shared/time.ts';
import { type ApiError, refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { makeCall } from '../../../vault/api/plain-call.ts';
import {
  type Held,
  type Letter,
  openCard,
  openCardName,
  openPassphrase,
  type RehearsalWords,
} from '../../../vault/legacy/letter.ts';
import { letterState, noteRehearsal, openLetter, openRehearsal } from '../../api/letter-calls.ts';
import { useApi } from '../../api/services.tsx';
import { stretchPassphrase } from '../../vault/key/stretch-passphrase.ts';
import { hideSecret } from '../../vault/sharing/address-bar.ts';
import type { SecretLink } from '../../vault/sharing/secret-link.ts';

/** What opened it, or is to: several people's sheets give the key of a card together. */
export type KeyKind = 'card' | 'passphrase' | 'sheets';

export interface OpenedRehearsal {
  words: RehearsalWords;
  by: KeyKind;
}

export interface OpenedLetter {
  letter: Letter;
  letterKey: Bytes;
  /** By which its files are fetched: the number in its address, and what the card or passphrase proves. */
  publicId: string;
  claim: string;
  releasedAt: string;
  openedBefore: string | null;
  by: KeyKind;
}

export type View =
  | { at: 'looking' }
  | { at: 'unreachable'; problem: string }
  | { at: 'unknown' }
  | { at: 'wrong-card'; rehearsal: boolean }
  /** The address carries no key, or a bent one; `needed` sheets give it, where it is split. */
  | { at: 'keyless'; bent: boolean; released: boolean; rehearsal: boolean; needed: number | null }
  /** It is tried whether the letter could be opened, which waits. */
  | {
      at: 'rehearsal';
      access: ScrollAccess;
      stretching: ScrollStretching | null;
      openedAt: string | null;
    }
  | ({ at: 'rehearsed' } & OpenedRehearsal)
  /** @property whole the card was tried, and is the right one */
  | { at: 'waiting'; access: ScrollAccess; whole: boolean }
  | { at: 'released'; access: ScrollAccess; stretching: ScrollStretching | null; openedAt: string | null }
  | { at: 'unreadable'; by: KeyKind }
  | ({ at: 'opened' } & OpenedLetter);

export interface Problem {
  sentence: string;
  /** The passphrase is at fault. */
  passphrase: boolean;
}

type LetterState = ReturnType<typeof useLetterState>;

/** How the letter stands. That its page was found is told to an author who rehearses. */
function useLetterState(publicId: string | null) {
  const { fetch } = useApi();
  const state = useQuery({
    queryKey: [letterState.path, publicId],
    queryFn: () => makeCall(fetch, letterState, { params: { publicId: publicId ?? '' } }),
    enabled: publicId !== null,
    // It may be released at any time.
    gcTime: 0,
  });
  const rehearsal = state.data?.rehearsal ?? null;
  const isNew = rehearsal !== null && rehearsal.openedAt === null && state.data?.state === 'waiting';
  useEffect(() => {
    if (!isNew || publicId === null) return;
    // Its author is told that the page was found. Where that does not arrive, nothing else fails.
    void makeCall(fetch, noteRehearsal, { params: { publicId }, body: { what: 'seen' } }).catch(
      () => undefined,
    );
  }, [isNew, publicId, fetch]);

  return state;
}

/** What the author wants to be called; null where the card does not tell it. */
function useAuthorName({ name: publicId, secret }: SecretLink, encryptedName: string | null): string | null {
  const { data = null } = useQuery({
    queryKey: [letterState.path, publicId, 'name', encryptedName, secret],
    queryFn: () =>
      openCardName(secret ?? '', encryptedName ?? '', publicId ?? '').catch((error: unknown) => {
        // Another card, or a name that is not its: the page names nobody.
        if (error instanceof OpenError || error instanceof TypeError) return null;
        throw error;
      }),
    enabled: secret !== null && encryptedName !== null && publicId !== null,
    gcTime: 0,
  });
  return data;
}

/** What is shown before anything was tried. */
function firstView({ name: publicId, secret, exposed }: SecretLink, state: LetterState): View {
  if (publicId === null || refusedAs(state.error, 'not-found')) return { at: 'unknown' };
  if (state.isError) return { at: 'unreachable', problem: sentenceOf(state.error) };
  if (!state.data) return { at: 'looking' };
  const { access, stretching, openedAt, sheetsNeeded } = state.data;
  const released = state.data.state === 'released';
  const rehearsal = !released && state.data.rehearsal;
  if (access === 'card' && secret === null) {
    const bent = exposed || window.location.hash.length > 1;
    return { at: 'keyless', bent, released, rehearsal: !!rehearsal, needed: sheetsNeeded };
  }
  if (rehearsal) return { at: 'rehearsal', access, stretching, openedAt: rehearsal.openedAt };
  return released
    ? { at: 'released', access, stretching, openedAt }
    : { at: 'waiting', access, whole: false };
}

export function useLegacy(link: SecretLink) {
  const { name: publicId, secret } = link;
  const { fetch } = useApi();
  const [outcome, setOutcome] = useState<View | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const state = useLetterState(publicId);
  const authorName = useAuthorName(link, state.data?.encryptedName ?? null);
  const view = outcome ?? firstView(link, state);
  const keyKind = (access: ScrollAccess): KeyKind => {
    if (access === 'passphrase') return 'passphrase';
    return state.data?.sheetsNeeded == null ? 'card' : 'sheets';
  };

  /** Proves the card, or the passphrase where it opens by one; what is served for it is opened here. */
  async function present(passphrase = '') {
    if (!('access' in view) || publicId === null || busy) return;
    const by = keyKind(view.access);
    const stretching = 'stretching' in view ? view.stretching : null;
    setBusy(true);
    setProblem(null);
    try {
      // A card is tried, not opened with: what was released meanwhile waits for a press that says so.
      if (view.at === 'waiting' && (await state.refetch()).data?.state !== 'waiting') return setOutcome(null);
      const held =
        by === 'passphrase' && stretching
          ? await openPassphrase(passphrase, stretching, stretchPassphrase)
          : await openCard(secret ?? '');
      if (view.at === 'rehearsal') return await rehearse(held, by);
      const served = await makeCall(fetch, openLetter, { params: { publicId }, body: { claim: held.claim } });
      const { releasedAt, openedBefore } = served;
      await show(by, async () => {
        const opened = await held.read(served);
        return { at: 'opened', ...opened, publicId, claim: held.claim, releasedAt, openedBefore, by };
      });
    } catch (error) {
      if (refusedAs(error, 'not-released'))
        setOutcome({ at: 'waiting', access: view.access, whole: by !== 'passphrase' });
      else if (refusedAs(error, 'not-found')) setOutcome({ at: 'unknown' });
      else if (refusedAs(error, 'no-rehearsal')) await lookAgain();
      else if (isWrong(error) && by !== 'passphrase')
        setOutcome({ at: 'wrong-card', rehearsal: view.at === 'rehearsal' });
      else setProblem(explain(error, view.at === 'rehearsal'));
    } finally {
      setBusy(false);
    }
  }

  /** Opens what a rehearsal says, with the key that opens the letter. */
  async function rehearse(held: Held, by: KeyKind) {
    if (publicId === null) return;
    const body = { claim: held.claim };
    const served = await makeCall(fetch, openRehearsal, { params: { publicId }, body });
    await show(by, async () => ({ at: 'rehearsed', words: await held.rehearse(served), by }));
  }

  /** What was served is shown as it opens, or as unreadable. */
  async function show(by: KeyKind, open: () => Promise<View>) {
    try {
      const opened = await open();
      // It can be opened again: a reload goes on with the card, which nobody finds in the bar any more.
      if (secret !== null) hideSecret(`/legacy/${publicId}`, secret);
      setOutcome(opened);
    } catch (error) {
      if (!(error instanceof OpenError)) throw error;
      setOutcome({ at: 'unreadable', by });
    }
  }

  async function lookAgain() {
    setProblem(null);
    const { data, isError } = await state.refetch();
    setLookedAt(Date.now());
    // A card that was found to be whole still is.
    if (isError || view.at !== 'waiting' || data?.state !== 'waiting') setOutcome(null);
  }

  return {
    view,
    /** What opens it, as the server has it. */
    by: keyKind(state.data?.access ?? 'card'),
    busy,
    problem,
    present,
    lookAgain,
    authorName,
    /** Tells the author that there is neither card nor passphrase. @throws ApiError or TypeError */
    async tellKeyless() {
      const params = { publicId: publicId ?? '' };
      await makeCall(fetch, noteRehearsal, { params, body: { what: 'keyless' } });
    },
    looking: state.isFetching,
    /** When a look found that it still waits; null while nobody looked again. */
    lookedAt,
  };
}

const isWrong = (error: unknown) => refusedAs(error, 'wrong-card', 'wrong-claim');

function explain(error: unknown, rehearsal: boolean): Problem {
  if (error instanceof RangeError) {
    return {
      sentence:
        'The server asks for a weaker protection of the passphrase than this browser accepts. Nothing was sent and nothing was opened.',
      passphrase: false,
    };
  }
  if (refusedAs(error, 'too-many')) {
    const wait = (error as ApiError).retryAfter;
    return {
      sentence: `Too many attempts from your network. Nothing was lost. Try again ${wait ? `in ${formatDuration(wait * SECOND, 'second')}` : 'in a little while'}.`,
      passphrase: false,
    };
  }
  if (isWrong(error)) {
    return {
      sentence: rehearsal
        ? 'That passphrase does not open it. Nothing was lost: try again, or tell the author that you do not know it.'
        : 'That passphrase does not open this letter. It was counted; nothing was lost.',
      passphrase: true,
    };
  }
  return { sentence: sentenceOf(error), passphrase: false };
}
