// The rules of the switch as they are, but for the tick: where a test moves the clocks, it need not wait for the next minute.
import { switchRules } from '../shared/nouns/switch-rules.ts';
import { SECOND } from '../shared/time.ts';

export const hurriedRules = { ...switchRules, tick: SECOND / 20 };
