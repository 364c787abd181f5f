// What setting a scroll to watch asks of its author, and what is still missing. Pure.
import { labelProblem } from '../../../shared/letter-label.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';

export type Warning = 'mail' | 'dashboard';

export interface Activation {
  /** The key that its author says to have handed over; null for none. */
  handedOver: string | null;
  /** How its author is to be warned; null before they have said so. */
  warning: Warning | null;
  /** What its author calls it in mails to themselves; empty for nothing. */
  label: string;
  /** Whether it was tried in vain: then it is told what is missing. */
  tried: boolean;
}

export type ActivationAction =
  | { type: 'handed-over'; key: string | null }
  | { type: 'warning-chosen'; warning: Warning }
  | { type: 'label-written'; label: string }
  | { type: 'tried' };

/** Tells the keys of a scroll's recipients from those they had before. A passphrase is not known here. */
export const keyMark = ({ recipients, version }: OpenedScroll): string =>
  recipients
    .map(({ id, access, cardNumber }) => `${id} ${access} ${access === 'passphrase' ? version : cardNumber}`)
    .join(', ');

/** What there is to be handed over. */
export const thingsOf = ({ recipients }: OpenedScroll): ('card' | 'passphrase')[] => [
  ...new Set(
    recipients.flatMap(({ access }) => (access === 'card' || access === 'passphrase' ? [access] : [])),
  ),
];

/** @param saidBefore that it was handed over, just now beside the card */
export const beginActivation = (scroll: OpenedScroll, saidBefore: boolean): Activation => ({
  handedOver: saidBefore || scroll.handedOverAt !== null ? keyMark(scroll) : null,
  warning: null,
  label: '',
  tried: false,
});

export function activationReducer(state: Activation, action: ActivationAction): Activation {
  switch (action.type) {
    case 'handed-over':
      return { ...state, handedOver: action.key };
    case 'warning-chosen':
      return { ...state, warning: action.warning };
    case 'label-written':
      return { ...state, label: action.label };
    case 'tried':
      return { ...state, tried: true };
  }
}

export interface Asked {
  /** Whether its key has to be handed over, and was. */
  asksHandOver: boolean;
  handedOver: boolean;
  /** Whether another key has taken the place of the one that was handed over. */
  replaced: boolean;
  asksWarning: boolean;
  warning: Warning | null;
  /** What has to be said first, or is wrong, in a sentence each; null where nothing is. */
  missing: { handedOver: string | null; warning: string | null; label: string | null };
}

/** @param hasAddress whether its author has proved an address for warnings */
export function whatIsAsked(scroll: OpenedScroll, state: Activation, hasAddress: boolean): Asked {
  const asksHandOver = thingsOf(scroll).length > 0;
  // Said of one key: another one has to be handed over as well.
  const handedOver = state.handedOver === keyMark(scroll);
  const replaced = state.handedOver !== null && !handedOver;
  const asksWarning = scroll.triggerType === 'inactivity';
  // Whoever has proved an address wants to be warned there, unless they say otherwise.
  const warning = state.warning ?? (hasAddress ? 'mail' : null);
  return {
    asksHandOver,
    handedOver,
    replaced,
    asksWarning,
    warning,
    missing: {
      handedOver: asksHandOver && !handedOver ? (replaced ? ANOTHER_KEY : NOT_HANDED_OVER) : null,
      warning: asksWarning ? missingWarning(warning, hasAddress) : null,
      label: labelProblem(state.label),
    },
  };
}

const ANOTHER_KEY = 'It was replaced by a newer one, made elsewhere. Hand that over first.';
const NOT_HANDED_OVER = 'Hand it over first. Afterwards it may be too late.';

function missingWarning(warning: Warning | null, hasAddress: boolean): string | null {
  if (warning === null) return 'Choose how you are warned before it is sent.';
  return warning === 'mail' && !hasAddress ? 'No address is confirmed yet.' : null;
}
