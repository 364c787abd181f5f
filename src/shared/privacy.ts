// What a server can see, and where its protection ends: the same short words wherever they are told. Field by field it stands
// in server-sees.ts.

export const limits: string[] = [
  'All of this holds while the server serves the code that you can read. Whoever takes it over could serve other code, and take your key while you use it.',
  'Time locks, burning and “once” are the server’s word, not mathematics. Its administrator could open a lock early, or keep a copy of ciphertext that should be gone.',
  'A browser that sees your vault for the first time cannot know whether it is shown everything. It says what was written last, and asks you.',
  'The key lies in this browser’s storage unless you choose otherwise in the settings. Whoever can read the browser’s profile has it.',
  'Whoever loses every recovery method has lost the vault. Nobody can open it, this server included.',
  'Neither the code nor the formats have been reviewed by an outside party.',
];

/** What the server can see, before the table of all fields says it exactly. */
export const inShort: readonly string[] = [
  'It cannot read what you write: texts, titles, names of people, tags and answers arrive sealed.',
  'It sees that you have a vault: the name or account you sign in with, when, and with which browser.',
  'It sees how much you keep: how many entries of which kind, how large, when you sealed and changed them, until when they are locked, and how heavy you called a moment.',
  'It sees what it needs to deliver something: recipients’ addresses, your warning addresses, the name and address of your trusted contact, when one-time links expire, a wallet that you link.',
  'It reads in the clear only what you choose to send that way: words for a language model, recordings to transcribe, and what other programs send to your webhooks.',
];
