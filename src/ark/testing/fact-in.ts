// What the Ark's reader makes of what the vault says, for tests of those who say it.
import { translateFact } from '../reader/facts.js';
import { type Catalogue, speak } from '../reader/language.js';

export function factIn(code: string, catalogue: Catalogue, english: string): string {
  speak(code, catalogue);
  try {
    return translateFact(english);
  } finally {
    // Other files of tests have the same reader.
    speak('en', {});
  }
}
