// Kind and weight of a recorded moment: sealed in its details, with neutral ones in the clear beside them (docs/formats.md,
// "Details"). Pure. Nothing else may read or write them: a screen that read the row's own would show the neutral ones.
import {
  type EventType,
  eventLabel,
  eventTypes,
  WEIGHT_DEFAULT,
  weights,
} from '../../shared/nouns/moment-kinds.ts';
import type { Relationship } from '../../shared/nouns/relationship.ts';
import { membersOf, withMembers, withoutMembers } from './details.ts';

export interface Moment {
  kind: EventType;
  /** From 1 to 5. */
  weight: number;
}

/** What a row says of them in the clear. */
type Clear = Pick<Relationship, 'eventType' | 'emotionalWeight'>;

/** What this browser sends in the clear, whatever a moment was. */
export const NEUTRAL: Clear = { eventType: 'moment', emotionalWeight: WEIGHT_DEFAULT };

interface Shown extends Moment {
  /** As of an opened entry: undefined where they cannot be opened. */
  detailsText: string | null | undefined;
  /** What the server shows otherwise than it was sealed; null for nothing. */
  changed: readonly unknown[] | null;
}

/**
 * Whether kind and weight are the moment's. The neutral ones in the clear say nothing of it where its details cannot be
 * opened, or are not shown: it may have been any other.
 * @param isHidden the book knows of details that the server does not show
 */
export const isSaid = ({ kind, weight, detailsText, changed }: Shown, isHidden = false): boolean =>
  !changed &&
  (kind !== NEUTRAL.eventType ||
    weight !== NEUTRAL.emotionalWeight ||
    (detailsText !== undefined && !isHidden));

/** What a moment is called by its kind; null where that is not said. */
export const kindOf = (moment: Shown): string | null => (isSaid(moment) ? eventLabel(moment.kind) : null);

const isKind = (value: unknown): value is EventType => eventTypes.some((type) => type.value === value);
const isWeight = (value: unknown): value is number => weights.some((weight) => weight.value === value);

/**
 * What a moment was: as its details say, or else as its row does. Clients that know the specification alone seal neither.
 * @param details what was opened; null for none, undefined where they cannot be opened
 */
export function readMoment(row: Clear, details: string | null | undefined): Moment {
  const { eventType, emotionalWeight } = membersOf(details ?? null) ?? {};
  return {
    kind: isKind(eventType) ? eventType : row.eventType,
    weight: isWeight(emotionalWeight) ? emotionalWeight : row.emotionalWeight,
  };
}

/**
 * What is sealed and what is sent of a moment that is written.
 * @param details what else it says: as `readMoment` takes them
 * @returns the details with kind and weight in them, and neutral ones in the clear. Where details cannot be changed here,
 *   they stay, and kind and weight are sent in the clear, so that neither is lost
 */
export function sealMoment(details: string | null | undefined, { kind, weight }: Moment) {
  const said: Clear = { eventType: kind, emotionalWeight: weight };
  const sealed = details === undefined ? null : withMembers(details, { ...said });
  return sealed === null ? { details, clear: said } : { details: sealed, clear: NEUTRAL };
}

/** Details without kind and weight, for an export, which names both beside them. */
export const withoutMoment = (details: string | null | undefined): string | null | undefined =>
  typeof details === 'string' ? withoutMembers(details, Object.keys(NEUTRAL)) : details;
