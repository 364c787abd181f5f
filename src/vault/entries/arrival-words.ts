// Where an entry arrived from, in a few words.
import type { Arrival } from './details.ts';

/** As a mark of the entry. */
export function arrivedWords(arrived: Arrival): string {
  switch (arrived.by) {
    case 'webhook':
      return 'Arrived by webhook';
    case 'model':
      return arrived.model === null ? 'Written by a language model' : `Written by ${arrived.model}`;
    case 'server':
      return 'Arrived from outside, by this server';
  }
}
