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
        says: 'keeps what must not be lost. Give a memory a date, and until that date this server hands it to nobody, not even to you.',
      },
      {
        name: 'The Relationship Ledger',
        says: 'keeps what happened between you and another, and how heavy it was. It takes no sides: it cannot read.',
      },
      {
        name: 'Ghost Mode',
        says: 'keeps a thought for as many readings as you allow. The last reading takes the words out of the database in the same stroke that hands them over.',
      },
      {
        name: 'The Myth Builder',
        says: 'will make a story out of your own sentences. Its door is drawn on the plan, and it is not cut yet.',
      },
      {
        name: 'Sacred Keys',
        says: 'open one entry, once, for one person. The secret stands behind the # of a link, which no browser sends to any server.',
      },
      {
        name: 'The Final Breath',
        says: 'is one message. It is read once. There is no second, until the first is gone.',
      },
      {
        name: 'The Legacy Scroll',
        says: 'waits for your silence. Before it speaks for you it asks, more than once, whether you are still here.',
      },
    ],
  },
  {
    numeral: 'III',
    title: 'Mythic infrastructure',
    paragraphs: [
      'Thirteen unique holders of one token open a chamber that none of them can open alone. That is the whole of the economy. It buys no privacy, because privacy is not sold here, and nothing that you have sealed will ever wait for a payment.',
      'The token is written LAT, and in full $LATEBRA. Its contract is the mint that this server was told to watch; a server that was told of none watches none. One token lets its holder carry away an artifact, which that wallet alone can open. A hundred open the sacred rituals.',
      'Market capitalisation at the hour of carving: $0. It is a static figure and it will not be updated. What is carved in stone makes a poor ticker, and what is kept here has never been worth its price.',
      'The first to stand in the circle is called The Curve, the second The Architect; those who follow have numbers, up to thirteen. Whoever comes later is a witness. Witnesses matter: without them it would only be a meeting.',
    ],
  },
  {
    numeral: 'IV',
    title: 'Interface as liturgy',
    paragraphs: [
      'A liturgy is an interface that has been used for so long that people stopped apologising for it. It is slow on purpose. It says the same words in the same place. It lets you know, before you act, what cannot be taken back.',
      'Thirteen rites are kept by those who keep a vault well. None is asked of you by the software. All of them are asked of you by time.',
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
        says: 'Take a copy of everything out of this house, and keep it where we cannot reach.',
      },
      { name: 'The thirteenth', says: 'Teach one other person the first twelve.' },
    ],
  },
  {
    numeral: 'V',
    title: 'The stack',
    paragraphs: [
      'Poetry is no protection. This is: AES-256-GCM in your browser, under a key of thirty-two bytes that is made there and never leaves it unwrapped. Every text is padded before it is sealed, so that even its length keeps quiet.',
      'From that key come an age identity of ML-KEM-768 and X25519, to which others seal what only you shall open, and a signing key of ML-DSA-44, which answers for you when you return with your twenty-four words. The copy of older days said Kyber and Dilithium. Those were their names before they were standards.',
      'The server keeps ciphertext and dates. It cannot import the code that would open an entry: that is not a promise, it is a line in the build that fails when somebody crosses it. What it can see, it lists on a page of its own, and the page is made from the same table as the calls.',
      'And what mathematics cannot do, we do not claim. A lock, a burning and a “once” are this server’s word. A server that lies could serve you other code tomorrow. Read it, or run your own: the source is open, and two commands start it.',
    ],
  },
  {
    numeral: 'VI',
    title: 'Terms of access',
    paragraphs: [
      'No e-mail is asked for, because there is nothing that we want to tell you. Three questions are asked, because there is something that you may want to tell yourself. Their answers are sealed before we could be tempted.',
      'You may leave at any hour and take everything along in files that other programs open. You may destroy it. We cannot restore what you destroy, and we cannot open what you lose the key to. Both are the same sentence.',
      'Forty-nine have followed this thread to its end and turned back, each for a good reason. Follows are counted from one to forty-nine. The fiftieth is not counted: the fiftieth unlocks.',
    ],
  },
  {
    numeral: 'VII',
    title: 'Final revelation',
    paragraphs: [
      'This scroll is signed. A signature says who held the key and that no letter was changed since; it says nothing about whether the words are true. You will have to find that out in the way it has always been found out, by staying and looking.',
      'But look at the signature, too. Whoever checks only that it is good has read the envelope and thrown away the letter.',
      'Memory is not what survives. Memory is what somebody decided to carry. Decide.',
    ],
  },
];

/** A line that the page nearly hides. It tells those who look where to look. */
export const hiddenLine =
  'the seal has a notation / the notation has a number / sixteen is a base, not an age / breathe slower than twelve';
