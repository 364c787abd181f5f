// What people come for: three uses, each with a picture of its screen (e2e/landing.spec.ts), and everything else, smaller. More
// is named only when it can be entered.
import diary from './pictures/diary.webp';
import letter from './pictures/letter.webp';
import link from './pictures/link.webp';
import { Fold, Section } from './section.tsx';

/** In CSS pixels, as the picture was taken. */
const WIDTH = 480;
const HEIGHT = 256;

const uses = [
  {
    picture: diary,
    alt: 'The latest memories, with their days and first lines; one is locked',
    name: 'A diary that nobody else can read',
    words:
      'The Memory Vault finds it again by a word, a year or a person. An entry can be locked until a day: until then this server hands it to nobody, you included.',
  },
  {
    picture: letter,
    alt: 'A letter that watches, with the day on which it is sent',
    name: 'Letters for a later day',
    words:
      'A Legacy Scroll goes to one person, or to a few, each with a key of their own: when you have not signed in for a number of days, on a day you set, or when you say so.',
  },
  {
    picture: link,
    alt: 'The words behind a one-time link, opened',
    name: 'One page for one person, once',
    words:
      'Sacred Keys are links that open one entry, without an account. Their secret stands behind the #, which browsers send to nobody.',
  },
];

const more = [
  {
    name: 'Relationship Ledger',
    words: 'What passed between you and somebody, and how heavy it was, drawn by person over the years.',
  },
  {
    name: 'Ghost Mode',
    words:
      'A thought to be read once, or three times, or until tomorrow. Then its words are gone from this server.',
  },
  {
    name: 'Myth Builder',
    words:
      'A story made from your own words. The Loom makes it in your browser, and needs no language model.',
  },
  {
    name: 'Eulogist Mode',
    words:
      'What you wrote of one person, as words to be read aloud. The Loom makes them, or an AI: only where this server has one, and only once you have agreed that it reads them.',
  },
  {
    name: 'Final Breath',
    words: 'One message to yourself. You read it once, and then it is gone from this server.',
  },
  {
    name: 'What you wrote elsewhere',
    words:
      'Cross-platform memory import: files of Day One, Notion, WhatsApp, Telegram and others are sealed in your browser. Other services send memories by webhooks, which this server seals to your vault at once and cannot open again.',
  },
  {
    name: 'Recovery',
    words:
      'Your key stays with you, so nobody here can send it to you again. The first page asks for two recovery methods.',
  },
  {
    name: 'The gate and the settings',
    words:
      'Enter by a passkey, a name and a passphrase, or twenty-four words. Every browser that is signed in is listed, and signed out with one click.',
  },
  {
    name: 'For a family',
    words: 'One server has a vault for each of you. Whoever runs it sees that you are there, and no word.',
  },
];

export function Uses() {
  return (
    <Section eyebrow="The vault" title="A room of your own, and a lock that keeps time">
      <ul className="grid gap-x-10 gap-y-9 md:grid-cols-3">
        {uses.map(({ picture, alt, name, words }) => (
          <li key={name}>
            {/* Each shows the upper part of a screen, and fades where that goes on. */}
            <img
              src={picture}
              alt={alt}
              width={WIDTH}
              height={HEIGHT}
              loading="lazy"
              decoding="async"
              className="h-auto w-full border border-line [mask-image:linear-gradient(#000_72%,transparent)]"
            />
            <h3 className="mt-3.5 font-display text-[1.625rem]/[1.15] font-medium">{name}</h3>
            <p className="mt-2 text-note text-dust">{words}</p>
          </li>
        ))}
      </ul>
      <Fold summary="Everything else that is here">
        {more.map(({ name, words }) => (
          <div key={name}>
            <dt className="font-display text-[1.25rem]/[1.2] font-medium">{name}</dt>
            <dd className="mt-1 text-small text-dust">{words}</dd>
          </div>
        ))}
      </Fold>
    </Section>
  );
}
