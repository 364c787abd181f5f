// What both forms of a letter have: its files, passphrases, which no draft keeps, what its author agrees to, who stands behind
// each address, and what is said to be wrong.
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { FileNotWhole } from '../../../vault/files/problems.ts';
import { EarlierWentOn } from '../../../vault/outbox/own-refusals.ts';
import { tellNotSealed } from '../../vault/entries/seal-failure.tsx';
import type { Draft } from '../../vault/entries/use-draft.ts';
import { formFiles, withoutStaying } from '../../vault/files/draft-files.ts';
import type { ChosenPassphrase, ChosenPassphraseProblems } from '../../vault/key/recovery/new-passphrase.tsx';
import { type FormProblems, problemAtField, type RecipientForm, type ScrollForm } from './form.ts';
import { weakPassphrases } from './key-fields.tsx';
import { useAgreement } from './use-agreement.ts';
import { meantBy, useRecipients } from './use-recipient.ts';
import type { Scrolls } from './use-scrolls.ts';

export const createdWords = {
  title: 'Legacy Scroll Created',
  description: 'It is a draft: nothing sends it before you activate its watch.',
};

interface Options<T> {
  draft: Draft<T>;
  /** What the letter says of its files now; null for a new one. */
  details: string | null;
  /** Another seal number, for where what was sent under the present one went on without these words. */
  renewed: () => Partial<T>;
  /** What is saved. */
  form: ScrollForm;
  transports: Scrolls['transports'];
  problemsOf: (meant: ScrollForm) => FormProblems;
  /** Of a recipient who is reached as before. */
  isKept?: (one: RecipientForm) => boolean;
}

export function useLetterForm<T extends Pick<ScrollForm, 'files'>>(options: Options<T>) {
  const { draft, form, transports, problemsOf } = options;
  const files = formFiles(draft, options.details);
  const { agreed, setAgreed, mustAgree, disagreed } = useAgreement(form, transports, options.isKept);
  const [secrets, setSecrets] = useState<Record<string, ChosenPassphrase>>({});
  const [weak, setWeak] = useState<Record<string, ChosenPassphraseProblems>>({});
  const [refused, setRefused] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [tried, setTried] = useState(false);
  const found = useRecipients(form.recipients);
  const meant = meantBy(form, found);

  return {
    files,
    found,
    /** What is sent of it. */
    meant,
    secrets,
    tried,
    setTried,
    /** What the last try ended with; null where its field says so. */
    refusal,
    setRefusal,
    isMissing: () => disagreed || Object.keys(problemsOf(meant)).length > 0,
    /** Whether a passphrase is too weak, which its field then says. */
    async isTooWeak(): Promise<boolean> {
      const wrong = await weakPassphrases(form, secrets);
      flushSync(() => setWeak(wrong));
      return Object.keys(wrong).length > 0;
    },
    /** Says why it was not taken: at the field that is to blame, or as a toast. */
    refuse(title: string, error: unknown): void {
      if (error instanceof FileNotWhole) files.sendAgain(error.fileId);
      if (error instanceof EarlierWentOn)
        draft.update((kept) => ({
          ...kept,
          ...options.renewed(),
          files: withoutStaying(kept, error.staying),
        }));
      const atField = refusedAs(error, 'invalid-input') ? problemAtField(sentenceOf(error), meant) : null;
      setRefusal(atField ? null : error);
      if (atField) flushSync(() => setRefused(atField));
      else tellNotSealed(title)(error);
    },
    /** Something else was written. */
    forgetRefused: () => setRefused({}),
    clear(): void {
      setRefused({});
      setSecrets({});
      setWeak({});
      setTried(false);
      setAgreed({});
    },
    /** For `ScrollFields`. */
    fields: {
      form,
      problems: { ...refused, ...(tried && problemsOf(meant)) },
      found,
      transports,
      secrets,
      onSecrets(next: Record<string, ChosenPassphrase>): void {
        setSecrets(next);
        setWeak({});
      },
      weak,
      agreed,
      onAgree: setAgreed,
      mustAgree,
      tried,
    },
  };
}
