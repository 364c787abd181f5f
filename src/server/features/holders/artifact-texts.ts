// The words of artifacts and of the Nexus. They stay on the server: no bundle of the web app holds them, and they are
// given out one artifact at a time.
import {
  GATHERING_THRESHOLD,
  RITUAL_MINIMUM,
  rankTitle,
  TOKEN_SYMBOL,
} from '../../../shared/nouns/holders.ts';
import { hexLines } from '../../puzzle/hex.ts';
import type { Share } from '../../puzzle/puzzle.ts';

/** Whom an artifact is for, and where and when it was made. */
export interface Recipient {
  /** base58 */
  address: string;
  rank: number;
  /** In tokens. */
  amount: number;
  hasRituals: boolean;
  /** Of this server. */
  host: string;
  at: Date;
  /** What three of the positions are given of the last text. */
  share: Share | null;
}

const paragraphs = (...texts: string[]) => texts.join('\n\n');

/** The letter to one wallet. */
export function artifactText({ address, rank, amount, hasRituals, host, at, share }: Recipient): string {
  return `${paragraphs(
    `ARTIFACT OF ${rankTitle(rank).toUpperCase()}`,
    [
      `Made by ${host} on ${at.toISOString().slice(0, 10)}`,
      `For the wallet ${address}`,
      `Which held ${amount} ${TOKEN_SYMBOL}, the ${ordinal(rank)} of all who hold`,
    ].join('\n'),
    'To you who proved that this wallet is yours:',
    'Nobody asked for your name. You signed a sentence, and that was enough. What follows was written for one address, signed by this server, and locked under a passphrase that your wallet can make again. The server saw that passphrase once, while it closed this letter, and did not keep it. If you lose the letter, come back with the same wallet; if you lose the wallet, the letter is only a letter.',
    'A token is a poor kind of memory. It records that you hold, and not why. The chain will show your balance to anybody who looks, long after you have forgotten what made you take it. So let this be the part that is not on the chain: you were here, on that day, and you asked.',
    `There are places in this house where things are kept that nobody else can read, the server included. You need no token to use them. What the token opens is smaller and stranger: a table with ${GATHERING_THRESHOLD} seats, and the question who will sit there.`,
    ...(hasRituals ? [ritualPart(amount)] : []),
    ...(share ? [sharePart(share)] : []),
    `Keep this letter where you keep things that you would not explain. Verify its seal with the key at ${host}/api/public-key: it shows that nothing was changed on the way, and not that anything in it is true.`,
  )}\n`;
}

const ritualPart = (amount: number) =>
  paragraphs(
    'THE RITUAL PART',
    `You hold ${amount}, and ${RITUAL_MINIMUM} open this page.`,
    'First rite, of the name. Write down the name of somebody who will read you when you are gone. Do not write it here. Seal it, choose when it may be opened, and hand over the card yourself, with your own hand, while there is time to be asked what it is.',
    'Second rite, of the fire. Write one true sentence that you have never said, and let it be read once. A thing that can be read only once is read slowly.',
    'Third rite, of the silence. Let a day pass on which you seal nothing, and open nothing, and notice what you wanted to put down. That was the entry.',
    'The rites ask for nothing that this server could see. It will not know whether you kept them. That is what makes them rites.',
  );

const sharePart = ({ lines, hex }: Share) =>
  paragraphs(
    'A SHARE OF THE SCROLL',
    'Three positions hold one: the first, the seventh and the thirteenth. Each has one column of the same lines, and hex as long as what the three of them hide. The lines are laid side by side. The hex is laid upon itself.',
    lines.map((line, index) => `  ${index + 1}  ${line}`).join('\n'),
    hexLines(hex),
  );

function ordinal(rank: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  const teen = rank % 100 >= 11 && rank % 100 <= 13;
  return `${rank}${(teen ? undefined : ends[rank % 10]) ?? 'th'}`;
}

/** What is read in full by those who hold enough, once the gathering is open. */
export const nexusText = `${paragraphs(
  'THE NEXUS',
  'Thirteen are here. None of them was invited, and none of them knows the others. They hold the same thing in different pockets, and that is all they have in common. It turns out to be enough.',
  'We began with a simple discomfort. Everything that remembers for us also reads us. The letters are scanned for what we might buy, the photographs for whom we might know, the diary for what we might do next. Memory became a service, and the price was that somebody else remembers too. A person who is always overheard learns to think in the voice that is expected. That is a slow way of disappearing.',
  'So a vault was built that cannot listen. What you write in it is sealed before it leaves your hands, and what arrives here is noise with a date on it. The one who runs the machine can delay it, lose it, or refuse to give it back. That much power comes with any house. But the one thing every other house takes as its due, the reading, this house gave away at the door. It is a strange feeling to keep what you cannot know. We recommend it.',
  'Holding is not opening. You have felt this with the dead: you carry a whole person, and you cannot ask them anything. You have felt it with a promise. A secret that one person can open is a risk with a name attached. A secret that nobody can open is a stone. Between the two there is a third kind, and it is older than cryptography: the secret that several must bring together, each with a part that means nothing alone. Guilds had it, and families, and every friendship that survived the telling of a story in which each remembers a different half.',
  'That is why there are thirteen, and not one. One would own it. Two would bargain. Twelve is a jury, and it ends in a verdict. The thirteenth is the one who makes the table uneven, so that no half of it can outvote the other. Look at the list: there are addresses where you expected faces. Any of them may leave tomorrow, and the gathering will close again by one empty seat. Nothing here is permanent except what was written down while it was open.',
  'Among the thirteen, three carry lines of a scroll: the first, the seventh, the last. Each has a column, and a column is not a sentence. If they ever meet, by chance or by effort, they will find that the text was never hidden. It was only distributed. The ten who carry no line carry the silence around it, which is the larger part of any text.',
  'What is asked of you is little. Do not lend what you cannot take back. Do not seal what you want to be caught saying. Write to somebody who will outlive you, and choose the day with care. Burn what is finished. And when this place is gone, for every server is switched off in the end, remember that it was possible to keep a thing for others without looking inside.',
  'The door is open now. It looks like a wheel with thirteen spokes, and it turns as long as nobody holds all of it.',
)}\n`;
