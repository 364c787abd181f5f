// The guide: how each thing is done, in plain words, with a picture of the screen. The same for everybody who reads it; it
// asks nobody anything and needs no script.
import type { ReactNode } from 'react';
import { type HelpTopic, helpTopics } from '../../shell/help-topics.ts';
import family from './pictures/family.webp';
import letters from './pictures/letters.webp';
import lock from './pictures/lock.webp';
import phone from './pictures/phone.webp';
import recovery from './pictures/recovery.webp';
import share from './pictures/share.webp';
import write from './pictures/write.webp';

interface Chapter {
  /** What is read first: one or two sentences. */
  short: string;
  steps: readonly ReactNode[];
  picture?: { src: string; alt: string; narrow?: true };
}

const chapters: Record<HelpTopic, Chapter> = {
  write: {
    short:
      'The first page has a line to write in. What you type is sealed in your browser, and only then sent.',
    steps: [
      'Begin a line on the first page, or press “New Memory” in the Memory Vault.',
      'A title and a text are enough. A day can be exact, or only a year or a season; tags, places and people are for finding it again.',
      'Press “Seal Memory”. If you are interrupted, what you typed waits as a draft in this browser.',
      'To read it again, press its title. “Print” there prints the whole text; a list can be printed as a book.',
      '“Add photos or files” keeps pictures, recordings and documents with it, sealed like the words; “Record your voice” is beside it. They go along in one-time links, exports, imports and print. A letter can have its own.',
    ],
    picture: { src: write, alt: 'The form for a new memory, with a title, a day and a text' },
  },
  lock: {
    short: 'A memory can be locked until a day. Until then nobody can read it, and you cannot either.',
    steps: [
      'Choose a time under “Time lock” while you write it, or later while you edit it.',
      'A lock can be made longer, and never shorter. You are asked before a long one.',
      'The title stays readable. When the day has come, the entry opens like any other.',
      'The server keeps the lock, by its clock. It is not made of mathematics: whoever runs the server could break it.',
    ],
    picture: { src: lock, alt: 'The list of memories, of which one is locked until a day' },
  },
  share: {
    short: 'A link shows one entry to one person, once. It needs no account on their side.',
    steps: [
      'Open the entry and press “Share”, or make a link under Sacred Keys.',
      'Choose how long the link waits. You may add a passphrase, and tell it by another way.',
      'Send the link, or let somebody beside you scan its code.',
      'Whoever opens it first reads it. After that the link is spent, and the list says so.',
    ],
    picture: { src: share, alt: 'A link to one entry, with its QR code' },
  },
  letters: {
    short:
      'A letter goes out when you have been silent for a time that you choose, on a date, or when you say so.',
    steps: [
      'Under Legacy Scroll, write the letter and say who gets it.',
      'Each recipient has a card with a key on it: print it and hand it over. Or they have a passphrase, or a vault here.',
      'Choose when it goes. Then press “Activate Watch”: nothing is sent before.',
      '“Rehearse”, under “More”, tries it beforehand: each recipient gets a message that says so, and opens one harmless sentence by their own card. You read who came through, and the letter stays sealed.',
      'While you sign in now and then, nothing happens. You are warned before a letter goes.',
      'Where this server is joined with others, “Sisters”, under “More”, has them keep a letter too. They send it together if you are silent, even when this server is gone.',
    ],
    picture: { src: letters, alt: 'The form of a letter: who gets it, and when it goes' },
  },
  recovery: {
    short:
      'Your key is in your browser. If that browser is lost, a recovery method opens the vault elsewhere. Nobody else can.',
    steps: [
      'Keep at least two: the 24 words on paper, a passphrase, or a passkey.',
      'They are set up in the settings, under “Key and recovery”. The words are the only one that needs no device.',
      'On a new device, sign in with one of them: the vault opens there.',
      'There is no “forgotten password”: this server cannot open a vault, so it cannot send you a new one.',
    ],
    picture: { src: recovery, alt: 'The settings, with the recovery methods of the key' },
  },
  phone: {
    short: 'Open the same address in the browser of your phone. No app store is needed.',
    steps: [
      'Sign in with a passkey that your phone shares, with your name and passphrase, or with the 24 words.',
      'To have it among your apps, choose “Add to Home Screen” in the browser’s menu. In Safari it is behind the share button; Chrome also calls it “Install app”.',
      'On a phone that is yours alone, what was there at your last visit can be read without a connection. A memory that you write then waits on the phone, sealed, and is sent once there is one.',
      'If others use the phone, say so when you are asked: the vault then locks after 30 minutes without a touch.',
      'For a device that is not yours, the settings can keep no key on it at all.',
      'On a device that nobody else uses, the vault opens without a connection too: what was there at the last visit can be read and searched, and a memory, a moment or a change waits there, sealed, until it can be sent.',
    ],
    picture: { src: phone, alt: 'The memories on a phone', narrow: true },
  },
  keep: {
    short: 'Everything you have written is yours to take along, and to bring here from elsewhere.',
    steps: [
      'Settings, “Your data”, “Export”: sealed under a passphrase for another Latebra, or readable as plain files.',
      '“The Ark” there is one page that opens in any browser without us, with your 24 words. Keep a copy where you keep paper, and the words elsewhere.',
      '“Imports” reads what other diaries, notes and chats have exported, such as Day One, Apple Journal, Evernote, Notion, Google Keep and WhatsApp. It does so in your browser, and shows what it found first.',
      'A deleted entry waits 30 days under “Recently deleted”.',
      'Theme and text size are under “Appearance”. Ctrl\u00a0K, or ⌘\u00a0K, finds every page and every word of yours.',
    ],
  },
  family: {
    short:
      'One server can hold a vault for each of you. Whoever runs it sees that you are there, and no word.',
    steps: [
      'The administrator opens “Administration” and makes an invitation for each person, with a code to scan.',
      'Everybody chooses their own way in, and writes down their own 24 words. Do it together, at one table.',
      'Nobody can read what another writes, unless they are sent a link or a letter.',
      'The server’s documentation has a page for families: how to set it up in five minutes, and how to back it up.',
    ],
    picture: { src: family, alt: 'An invitation with its code' },
  },
};

/** Contents first, then a part for each topic. */
export function Guide() {
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav aria-label="The guide">
        <ol className="grid grid-cols-1 gap-x-12 border-t border-line sm:grid-cols-2 lg:sticky lg:top-8 lg:grid-cols-1">
          {helpTopics.map(({ id, name }) => (
            <li key={id} className="border-b border-line/60">
              <a
                href={`#${id}`}
                className="grid min-h-11 content-center py-2 font-display text-[1.25rem]/[1.2] font-medium transition-colors hover:text-ember"
              >
                {name}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="min-w-0">
        {helpTopics.map(({ id, name }) => (
          <Part key={id} id={id} name={name} chapter={chapters[id]} />
        ))}
      </div>
    </div>
  );
}

function Part({
  id,
  name,
  chapter: { short, steps, picture },
}: {
  id: string;
  name: string;
  chapter: Chapter;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className="scroll-mt-6 border-t border-line pt-8 pb-14"
    >
      <h2 id={`${id}-heading`} className="font-display text-heading">
        {name}
      </h2>
      <p className="mt-3 max-w-prose text-lead">{short}</p>
      <div
        className={
          picture?.narrow
            ? 'mt-6 grid gap-8 sm:grid-cols-[minmax(0,1fr)_15rem]'
            : 'mt-6 grid gap-8 md:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]'
        }
      >
        <ol className="grid max-w-prose content-start gap-3">
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <li key={at} className="grid grid-cols-[1.75rem_minmax(0,1fr)] text-dust">
              <span aria-hidden="true" className="font-machine text-small/[1.7] text-shade">
                {at + 1}
              </span>
              <span>{step}</span>
            </li>
          ))}
        </ol>
        {picture && (
          <img
            src={picture.src}
            alt={picture.alt}
            {...(picture.narrow ? { width: 390, height: 640 } : { width: 800, height: 780 })}
            loading="lazy"
            decoding="async"
            className="h-auto w-full self-start border border-line"
          />
        )}
      </div>
    </section>
  );
}

export const GUIDE_LEAD =
  'How each thing is done, in plain words. It takes ten minutes to read, and nothing here has to be learned by heart.';
