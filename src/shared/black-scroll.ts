// The black scroll: the manifesto as text. The page is rendered from it and the signed file is made of it, so both say the
// same. Every sentence about the software has to be true of it.

export interface ScrollSection {
  numeral: string;
  title: string;
  paragraphs: readonly string[];
  /** A list under the paragraphs: what it names, and what is said of it. */
  items?: readonly { name: string; says: string }[];
}

export const sections: readonly ScrollSection[] = [
  {
    numeral: 'I',
    title: 'Collapse',
    paragraphs: [
      'Everything you have written to somebody lies in a building you will never see, under a name you did not choose, in the care of a company that can be sold. You did not decide this. You pressed a button with a friendly colour.',
      'Collapse is not fire. Fire would be noticed. Collapse is a notice of changed terms, a forgotten renewal, a merger, a clerk who is curious, a format that nothing opens any more. The letters of a century were found in attics. Ours will be found in nobody’s: there are no attics in a data centre.',
      'A civilisation ends twice. First it stops working, and then it stops being remembered. The first cannot always be prevented. The second is a matter of where things were put.',
      'Latebra is Latin: a hiding place. It was built for the second ending.',
    ],
  },
  {
    numeral: 'II',
    title: 'Ritual architecture',
    paragraphs: [
      'A form with twelve fields asks for data. A room with one door asks what you came to do. So this is a house of seven chambers, and each chamber has one purpose and one danger.',
    ],
    items: [
      {
        name: 'The Memory Vault',
        says: 'keeps what must not be lost. Give a memory a date, and until that date this server hands its words to nobody, not even to you. The title stays on the door.',
      },
      {
        name: 'The Relationship Ledger',
        says: 'keeps what happened between you and another, and how heavy it was. Name, words, kind and weight are sealed. It takes no sides: it cannot tell between whom, nor what it was.',
      },
      {
        name: 'Ghost Mode',
        says: 'keeps a thought for as many readings as you allow, and no longer than the hour you set. The last reading takes the words out of the database in the same stroke that hands them over.',
      },
      {
        name: 'The Myth Builder',
        says: 'makes a story out of your own sentences. A loom in your browser weaves it, and no word leaves. Where the keeper of this server has hired a stranger to write, it tells you who, and asks first.',
      },
      {
        name: 'Sacred Keys',
        says: 'open one entry, once, for whoever comes first. The secret stands behind the # of a link, which no browser sends to any server.',
      },
      {
        name: 'The Final Breath',
        says: 'is one message. It is released once and then forgotten. There is no second, until the first is gone.',
      },
      {
        name: 'The Legacy Scroll',
        says: 'waits for a day, for your word, or for your silence. Silence it does not trust at once: before it speaks for you, it asks whether you are still here.',
      },
    ],
  },
  {
    numeral: 'III',
    title: 'Mythic infrastructure',
    paragraphs: [
      'Thirteen unique holders of one token open a chamber that twelve cannot. A holder is an address: the chain cannot tell thirteen people from one with thirteen purses, and neither can we. The token buys no privacy, because privacy is not sold here, and nothing that you have sealed waits for a payment.',
      'The token is written LAT, and in full $LATEBRA. Its contract is the mint that this server was told to watch; a server that was told of none watches none. One token lets its holder carry away an artifact, under a passphrase that the wallet’s own signature makes. The server has to hear it, to lock the artifact with it, and writes it down nowhere. A hundred open the sacred rituals.',
      'Market capitalisation at the hour of carving: $0. It is a static figure and it will not be updated. What is carved in stone makes a poor ticker, and what is kept here was never for sale.',
      'They stand in the order of what they hold. The heaviest is called The Curve, the next The Architect; those who follow have numbers, up to thirteen. Whoever stands further out is a witness. Witnesses matter: without them it would only be a meeting.',
    ],
  },
  {
    numeral: 'IV',
    title: 'Interface as liturgy',
    paragraphs: [
      'A liturgy is an interface that has been used for so long that people stopped apologising for it. It is slow on purpose. It says the same words in the same place. It lets you know, before you act, what cannot be taken back.',
      'Thirteen rites are kept by those who keep a vault well. None is forced upon you by the software. All of them are asked of you by time.',
    ],
    items: [
      {
        name: 'The first rite',
        says: 'Write your twenty-four words on paper, and tell no machine where the paper is.',
      },
      { name: 'The second', says: 'Keep a second way back. One is a rope; two are a bridge.' },
      { name: 'The third', says: 'Seal something small before you seal something great.' },
      { name: 'The fourth', says: 'Open it again, on another device, while nothing depends on it.' },
      { name: 'The fifth', says: 'Name the people. A memory without names belongs to nobody.' },
      { name: 'The sixth', says: 'Write down the day it happened, not only the day you remembered.' },
      { name: 'The seventh', says: 'Say what you would burn to keep it safe. Then look at what is left.' },
      { name: 'The eighth', says: 'Lock one memory away from yourself, and find out who opens it.' },
      { name: 'The ninth', says: 'Let one thought vanish. Notice that you survive it.' },
      { name: 'The tenth', says: 'Give a scroll its recipient, and its recipient the card.' },
      { name: 'The eleventh', says: 'Answer when you are asked whether you are still here.' },
      {
        name: 'The twelfth',
        says: 'Take a copy of all that opens out of this house, and keep it where we cannot reach.',
      },
      { name: 'The thirteenth', says: 'Teach one other person the first twelve.' },
    ],
  },
  {
    numeral: 'V',
    title: 'The stack',
    paragraphs: [
      'Poetry is no protection. This is: AES-256-GCM in your browser, from a key of thirty-two bytes that is made there and is sent nowhere unwrapped. Every text is padded before it is sealed there, so that its length shows only in steps of two hundred and fifty-six bytes.',
      'From that key come an age identity of ML-KEM-768 and X25519, to which others seal what only you shall open, and a signing key of ML-DSA-44, which answers for you when you return with your twenty-four words. The copy of older days said Kyber and Dilithium. Those were their names before they were standards.',
      'The server keeps ciphertext and dates, and beside them what any porter knows: the name you sign in by; when you came, and with which browser; how many things you keep, of what kind, and how large; to whom a scroll is addressed; a wallet, if you have linked one. What it can see, it lists on a page of its own, and the longer part of that page is made from the same table as the calls. The code that would open an entry it cannot import: that is not a promise, it is a line in the checks that fail when somebody crosses it.',
      'And what mathematics cannot do, we do not claim. A lock, a burning and a “once” are this server’s word. A server that lies could serve you other code tomorrow. Read it, or run your own: the source is open, and on a machine that has Node one command starts it.',
    ],
  },
  {
    numeral: 'VI',
    title: 'Terms of access',
    paragraphs: [
      'No e-mail is needed at the door, because there is nothing that we want to tell you. Where a scroll watches your silence you are asked for one, so that it can ask you before it speaks, and you may decline. Three questions are asked, because there is something that you may want to tell yourself. Their answers are sealed before we could be tempted.',
      'You may leave at any hour and take your words along in files that other programs open: all but those that wait for a date, and those that may be read only so often. You may destroy everything. What you destroy leaves the database; a copy that somebody made before stays ciphertext for as long as it lasts. We cannot open what you have destroyed, and we cannot open what you lose the key to. Both are the same sentence.',
      'Forty-nine, the story goes, follow this thread to its end and turn back, each for a good reason. No counter stands at this door: the follows are counted from one to forty-nine in the story alone. The fiftieth is not counted even there. The fiftieth unlocks.',
    ],
  },
  {
    numeral: 'VII',
    title: 'Final revelation',
    paragraphs: [
      'This scroll is signed. A signature says that a key was there, and that no letter was changed since. It does not say whose hand held the key, nor whether the words are true. You will have to find that out in the way it has always been found out, by staying and looking.',
      'But look at the signature, too. Whoever checks only that it is good has read the envelope and thrown away the letter.',
      'Memory is not what survives. Memory is what somebody decided to carry. Decide.',
    ],
  },
];

/** A line that the page nearly hides. It tells those who look where to look: its middle leads to the decoder. */
export const hiddenLine = {
  before: 'the seal has a notation / the notation has a number / ',
  link: 'sixteen is a base, not an age',
  after: ' / breathe no faster than twelve',
} as const;
