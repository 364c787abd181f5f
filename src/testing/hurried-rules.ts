// The rules of a switch in a hurry. What a busy machine may take for a step is far below what counts as an absence.
import { switchRules } from '../shared/nouns/switch.ts';

const SECOND = 1000;

export const hurriedRules = {
  ...switchRules,
  tick: SECOND / 5,
  drift: 30 * SECOND,
  provedAfter: 3 * SECOND,
  dark: 60 * SECOND,
  outage: 120 * SECOND,
  absenceCounts: 130 * SECOND,
  holdAfterOutage: 4 * SECOND,
};
