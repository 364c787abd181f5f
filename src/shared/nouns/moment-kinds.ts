// What a recorded moment can be and how heavy, and what each is called: without a schema, so that a page without a schema can say it.

/** What a recorded moment can be, in the order in which a form offers them. */
export const eventTypes = [
  { value: 'confession', label: 'Confession' },
  { value: 'argument', label: 'Argument' },
  { value: 'moment', label: 'Beautiful Moment' },
  { value: 'ending', label: 'Ending' },
  { value: 'beginning', label: 'Beginning' },
  { value: 'reconciliation', label: 'Reconciliation' },
  { value: 'betrayal', label: 'Betrayal' },
  { value: 'forgiveness', label: 'Forgiveness' },
] as const;
export type EventType = (typeof eventTypes)[number]['value'];

export function eventLabel(type: EventType): string {
  return eventTypes.find(({ value }) => value === type)?.label ?? type;
}

/** How heavy a moment was: from 1 to 5. A missing weight counts as `WEIGHT_DEFAULT`. */
export const weights = [
  { value: 1, label: 'Light', colour: 'blue' },
  { value: 2, label: 'Gentle', colour: 'blue' },
  { value: 3, label: 'Meaningful', colour: 'green' },
  { value: 4, label: 'Intense', colour: 'yellow' },
  { value: 5, label: 'Life-changing', colour: 'red' },
] as const;
export type Weight = (typeof weights)[number]['value'];
export const WEIGHT_DEFAULT: Weight = 3;

export function weightOf(value: number): (typeof weights)[number] {
  return weights.find((weight) => weight.value === value) ?? weights[2];
}
