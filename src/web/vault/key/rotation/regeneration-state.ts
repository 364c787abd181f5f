// The states of a regeneration as its dialog goes through them. Pure: what is asked of server and key stands in the dialog.

import type { Progress } from '../../../../vault/rotation/stage.ts';
import type { NewWays, NextKey, Survey } from './regenerate.ts';

/** `survey` is null where everything that was sealed until now is let burn. */
export type RegenerationState =
  | { step: 'choose'; next: NextKey | null; ways: NewWays; problem: string | null }
  | { step: 'burn'; next: NextKey | null; ways: NewWays }
  | { step: 'found'; next: NextKey; ways: NewWays; survey: Survey }
  | { step: 'way-back'; next: NextKey; ways: NewWays; survey: Survey | null }
  | { step: 'working'; next: NextKey; ways: NewWays; survey: Survey | null; progress: Progress };

export type RegenerationAction =
  | { type: 'ask-to-burn' }
  | { type: 'back' }
  /** The next key is made. It is made once: its words may stand on paper already when something is tried again. */
  | { type: 'made'; next: NextKey }
  | { type: 'surveyed'; survey: Survey }
  | { type: 'go-on' }
  | { type: 'proved'; ways: NewWays }
  | { type: 'began' }
  | { type: 'progressed'; progress: Progress }
  | { type: 'failed'; problem: string };

export const atFirst: RegenerationState = {
  step: 'choose',
  next: null,
  ways: { wraps: [], wordsKept: false },
  problem: null,
};

/** What follows; an action that does not belong to a step changes nothing. */
export function regenerationReducer(state: RegenerationState, action: RegenerationAction): RegenerationState {
  const { next, ways } = state;
  switch (action.type) {
    case 'ask-to-burn':
      return state.step === 'choose' ? { step: 'burn', next, ways } : state;
    case 'back':
      return state.step === 'burn' ? { step: 'choose', next, ways, problem: null } : state;
    case 'made':
      return state.step === 'choose' || state.step === 'burn' ? { ...state, next: action.next } : state;
    case 'surveyed':
      return state.step === 'choose' && next ? { step: 'found', next, ways, survey: action.survey } : state;
    case 'go-on':
      if (state.step === 'burn' && next) return { step: 'way-back', next, ways, survey: null };
      return state.step === 'found'
        ? { step: 'way-back', next: state.next, ways, survey: state.survey }
        : state;
    case 'proved':
      return state.step === 'way-back' ? { ...state, ways: action.ways } : state;
    case 'began':
      return state.step === 'way-back' ? { ...state, step: 'working', progress: beginningOf(state) } : state;
    case 'progressed':
      return state.step === 'working' ? { ...state, progress: action.progress } : state;
    case 'failed':
      return { step: 'choose', next, ways, problem: action.problem };
  }
}

/** Letting burn is one request; sealing anew goes entry by entry. */
const beginningOf = ({ survey }: { survey: Survey | null }): Progress => ({
  done: 0,
  all: survey?.opened.length ?? 0,
  finishing: survey === null,
});
