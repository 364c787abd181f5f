// A new letter: when its form is there, and what stands around it.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useDraftTurn } from '../../vault/entries/use-draft.ts';
import { LETTER_DRAFT } from '../../vault/legacy/begin-letter.ts';
import { draftsOf } from '../../vault/session/drafts.ts';
import { useNewAsked } from '../../vault/session/new-address.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { CreationForm } from './creation-form.tsx';
import type { Scrolls } from './use-scrolls.ts';

/** Whether the form of a letter is there: once somebody asks for it, while it has a draft, and where there is no letter yet. */
export function useWriting(all: readonly OpenedScroll[] | undefined, isFetching: boolean) {
  const { user } = useVault();
  const [isWriting, setWriting] = useState(() => draftsOf(user.id, LETTER_DRAFT).length > 0);
  // The first letter has its form until it is kept.
  if (all?.length === 0 && !isWriting) setWriting(true);
  const wantsFocus = useRef(false);
  const focusOnForm = useEffectEvent(() => {
    const form = document.querySelector('[aria-labelledby="new-scroll"]');
    const first = form?.querySelector<HTMLElement>(':is(input, textarea)');
    if (!wantsFocus.current || !first) return;
    // On a phone the list stands above the form, and moves it out of sight as it comes.
    wantsFocus.current = isFetching;
    const isInForm = form?.contains(document.activeElement);
    (isInForm ? document.activeElement : first)?.scrollIntoView({ block: 'center' });
    if (!isInForm) first.focus();
  });
  // With whatever render the form has come.
  useEffect(() => focusOnForm());
  function write() {
    wantsFocus.current = true;
    setWriting(true);
    focusOnForm();
  }
  useNewAsked('/legacy-scroll', write);
  return { isWriting, write, putAway: () => setWriting(false) };
}

interface Props {
  scrolls: Scrolls;
  onCreated: (scroll: OpenedScroll) => void;
  onClose: () => void;
}

export function NewLetter({ scrolls, onCreated, onClose }: Props) {
  const turn = useDraftTurn(LETTER_DRAFT);
  return (
    <section aria-labelledby="new-scroll" className="min-w-0">
      <h2 id="new-scroll" tabIndex={-1} className="mb-6 border-t border-line pt-6 font-display text-heading">
        A new letter
      </h2>
      <SeveralDrafts list="/legacy-scroll" />
      <CreationForm
        key={turn}
        scrolls={scrolls}
        onCreated={onCreated}
        onClose={scrolls.list.data?.length === 0 ? undefined : onClose}
      />
    </section>
  );
}
