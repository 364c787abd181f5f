// Letters to send through a transport.
import type { Letter } from '../server/adapters/transport.ts';

/** Numbers of messages are 22 characters of base64url. */
export const LETTER_ID = 'kLm-4oPq_rStUvWxYz0123';

export const aLetter = (to: string, over: Partial<Letter> = {}): Letter => ({
  id: LETTER_ID,
  to,
  subject: 'A letter’s subject',
  text: 'What it says\n',
  html: '<p>What it says</p>',
  unsubscribe: null,
  ...over,
});
