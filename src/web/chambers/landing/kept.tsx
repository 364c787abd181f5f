// What the vault does today. More is named only when it can be entered.
import type { ReactNode } from 'react';
import { Sigil, type SigilName } from '../../ui/sigil.tsx';
import { Section } from './section.tsx';

const rooms: { sigil: SigilName; name: string; words: ReactNode }[] = [
  {
    sigil: 'memory',
    name: 'Memory Vault',
    words:
      'Write down what must not be lost. Give it a date if you wish: until then this server hands it to nobody, you included.',
  },
  {
    sigil: 'relation',
    name: 'Relationship Ledger',
    words:
      'What passed between you and somebody: a confession, an ending, a beautiful moment, and how heavy it was. Drawn by person, over the years.',
  },
  {
    sigil: 'ghost',
    name: 'Ghost Mode',
    words:
      'A thought that may be read once, or three times, or until tomorrow. With its last reading the words are gone from this server.',
  },
  {
    sigil: 'myth',
    name: 'Myth Builder',
    words:
      'A life, a love, an ending: a story made from your own words, which you may change before it is sealed. The Loom makes it in your browser, and needs no language model.',
  },
  {
    sigil: 'candle',
    name: 'Eulogist Mode',
    words:
      'What you wrote of one person through the years, gathered in your browser and made into words to be read aloud. The Loom can make them, or an AI: only where this server has one, and only once you have agreed that it reads them.',
  },
  {
    sigil: 'key',
    name: 'Sacred Keys',
    words:
      'A link to one entry, for one person, for one opening. Its secret stands behind the #, which browsers send to nobody.',
  },
  {
    sigil: 'breath',
    name: 'Final Breath',
    words: 'One message to yourself. You read it once, and then it is gone from this server.',
  },
  {
    sigil: 'legacy',
    name: 'Legacy Scroll',
    words:
      'A letter to one person, or to a few, each with a key that you give to nobody else. It is sent when you have not signed in for a number of days, on a day you set, or when you say so. Time in which the server is off counts for no more than a day each time.',
  },
  {
    sigil: 'touch',
    name: 'The gate',
    words:
      'A passkey lets you in, and where your device can do it the same touch unlocks the vault. Or a name and a passphrase. Or twenty-four words, kept on paper.',
  },
  {
    sigil: 'scroll',
    name: 'Recovery',
    words:
      'Recovery is up to you: your key stays with you, so nobody here can send it to you again. The dashboard shows your recovery methods, and goes on asking for two.',
  },
  {
    sigil: 'unlock',
    name: 'What you wrote elsewhere',
    words:
      'Cross-platform memory import: files of Day One, Notion, WhatsApp, Telegram and others are read and sealed in your browser. Other services can send memories by webhooks, which this server seals to your vault at once and cannot open again.',
  },
  {
    sigil: 'settings',
    name: 'Sacred Settings',
    words:
      'Every browser that is signed in, listed, and signed out with one click. Your passkeys, your passphrase, and whether this device keeps the key at all.',
  },
];

export function Kept() {
  return (
    <Section
      matter="beside"
      eyebrow="The vault"
      title="A room of your own, and a lock that keeps time"
      lead="Each chamber keeps one kind of thing. What you write there is sealed in your browser before it is sent."
    >
      <ul className="border-y border-line/70">
        {rooms.map((room) => (
          <li
            key={room.name}
            className="grid grid-cols-[auto_1fr] gap-x-6 border-line/70 py-8 not-first:border-t sm:gap-x-9"
          >
            <Sigil name={room.sigil} className="size-11 text-dust sm:size-13" />
            <div>
              <h3 className="font-display text-name font-medium">{room.name}</h3>
              <p className="mt-2 text-note text-dust">{room.words}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
