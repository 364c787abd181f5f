// Transports that keep what they are given, and refuse, hang or throw when a test tells them to.
import type { Delivery, Letter, Transport } from '../server/adapters/transport.ts';

export type TransportMood = 'accepts' | 'refuses for good' | 'refuses for now' | 'hangs' | 'throws';

export interface CollectingTransport extends Transport {
  /** What was accepted, oldest first. */
  accepted: Letter[];
  /** Every letter that was handed over, whatever became of it. */
  tried: Letter[];
  behave(mood: TransportMood): void;
  /** Ends every send that hangs, as though the server had come back with this. */
  comeBack(delivery: Delivery): void;
}

export const REFUSED_FOR_GOOD = 'The mail server refused this address (550).';
export const REFUSED_FOR_NOW = 'The mail server does not take mail for this address now (451).';

export function collectingTransport(): CollectingTransport {
  let mood: TransportMood = 'accepts';
  const accepted: Letter[] = [];
  const tried: Letter[] = [];
  const hanging = new Set<(delivery: Delivery) => void>();
  const end = (letter: Letter, delivery: Delivery): Delivery => {
    if (delivery === 'accepted') accepted.push(letter);
    return delivery;
  };
  return {
    accepted,
    tried,
    behave: (to) => {
      mood = to;
    },
    comeBack: (delivery) => {
      for (const resolve of hanging) resolve(delivery);
      hanging.clear();
    },
    send: async (letter) => {
      tried.push(letter);
      switch (mood) {
        case 'accepts':
          return end(letter, 'accepted');
        case 'refuses for good':
          return { refused: 'for-good', why: REFUSED_FOR_GOOD };
        case 'refuses for now':
          return { refused: 'for-now', why: REFUSED_FOR_NOW };
        case 'hangs':
          return end(letter, await new Promise<Delivery>((resolve) => hanging.add(resolve)));
        case 'throws':
          throw new Error('A transport threw, which it never should.');
      }
    },
  };
}
