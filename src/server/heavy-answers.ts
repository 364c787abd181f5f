// Answers of many megabytes: few are made at a time, and how much waits to be read is bounded. A client that asks for a
// list a hundred times and reads none of it costs no more memory than a few lists, and nobody else their turn.
import { SECOND } from '../shared/time.ts';
import { type AppError, clientGone, tooMany } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { fallsBehind } from './pace.ts';

/** Sizes are bytes, times milliseconds. */
export interface HeavyAnswerLimits {
  /** From this size on an answer is heavy. */
  heavy: number;
  /** Made at a time, by this process. */
  makers: number;
  /** Made or under way at a time, for one account. */
  perAccount: number;
  /** Calls of one account that wait for their turn. */
  waiting: number;
  /** So long a call waits for its turn: answers that nobody reads may stand in a connection for hours. */
  patience: number;
  /** What all answers under way may take together. */
  together: number;
  /** How often their pace is looked at. */
  checkEvery: number;
  /** After so long an answer has to be read at `bytesPerSecond` at least, on average. */
  grace: number;
  bytesPerSecond: number;
}

const MEGABYTE = 1024 * 1024;

/** A browser makes six calls to one server at a time. 16 MB over the slowest mobile line take an hour, and may. */
export const heavyAnswerLimits: HeavyAnswerLimits = {
  heavy: MEGABYTE / 4,
  makers: 2,
  perAccount: 3,
  waiting: 16,
  patience: 15_000,
  together: 128 * MEGABYTE,
  checkEvery: 5_000,
  grace: 10_000,
  bytesPerSecond: 4 * 1024,
};

/** Whoever an answer is for: an account's number, or the address of somebody who is not signed in. */
export type Client = number | string;

export interface HeavyAnswers {
  /**
   * Waits until another list may be made for somebody. Accounts take turns.
   * @param signal the client's: a wait ends when it leaves
   * @returns how to give the turn back, once the answer is made
   * @throws AppError `too-many` where too many calls of the same account wait already, none could begin for long, or the
   *   client has left
   */
  takeTurn(client: Client, signal: AbortSignal): Promise<() => void>;
  /** What carries a text: itself, or where it is heavy a stream that sends a piece when the one before was read. */
  bodyOf(client: Client, text: string): string | HeavyBody;
  stop(): void;
}

export interface HeavyBody {
  stream: ReadableStream<Uint8Array>;
  /** The size of the whole, in bytes. */
  length: number;
}

interface Waiting {
  since: number;
  begin: () => void;
  refuse: (error: AppError) => void;
}

interface UnderWay {
  client: Client;
  size: number;
  /** How much has been read of it. */
  read: number;
  since: number;
  cut: () => void;
}

const PIECE = 64 * 1024;
const STILL_UNREAD = 'Earlier answers of yours are still under way.';

/** The calls that wait until their answers may be made. Accounts take turns. @param unread how many answers of a client are under way */
function createTurns(limits: HeavyAnswerLimits, elapsed: () => number, unread: (client: Client) => number) {
  /** Whose answers are being made. */
  const making: Client[] = [];
  /** By account, each account's oldest first. The account whose turn is next comes first. */
  const waiting = new Map<Client, Waiting[]>();

  function mayBegin(client: Client): boolean {
    const made = making.filter((one) => one === client).length;
    return making.length < limits.makers && made + unread(client) < limits.perAccount;
  }

  function begin(client: Client): () => void {
    making.push(client);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      making.splice(making.indexOf(client), 1);
      beginNext();
    };
  }

  /** Lets in whoever may begin now. An account that has had a turn stands at the end again. */
  function beginNext(): void {
    for (const [client, calls] of [...waiting]) {
      if (!mayBegin(client)) continue;
      // Behind all others, and there again where it has more calls.
      waiting.delete(client);
      waiting.set(client, calls);
      calls[0]?.begin();
    }
  }

  function leaveQueue(client: Client, call: Waiting): void {
    const others = (waiting.get(client) ?? []).filter((one) => one !== call);
    if (others.length > 0) waiting.set(client, others);
    else waiting.delete(client);
  }

  return {
    beginNext,

    refuseThoseWaitingLong(time: number): void {
      for (const call of [...waiting.values()].flat()) {
        if (time - call.since > limits.patience) call.refuse(tooMany(limits.checkEvery, STILL_UNREAD));
      }
    },

    async take(client: Client, signal: AbortSignal): Promise<() => void> {
      if (mayBegin(client) && !waiting.has(client)) return begin(client);
      const calls = waiting.get(client) ?? [];
      if (signal.aborted) throw clientGone();
      if (calls.length >= limits.waiting) throw tooMany(SECOND);
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          leaveQueue(client, call);
          signal.removeEventListener('abort', leave);
        };
        const call: Waiting = {
          since: elapsed(),
          begin: () => {
            stopWaiting();
            resolve(begin(client));
          },
          refuse: (error) => {
            stopWaiting();
            reject(error);
          },
        };
        const leave = () => call.refuse(clientGone());
        waiting.set(client, [...calls, call]);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

/** Sends a text piece by piece, each when the one before was read. @param end is called once it is over */
function streamOf(bytes: Buffer, client: Client, since: number, end: (answer: UnderWay) => void) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const answer: UnderWay = {
    ...{ client, since, size: bytes.length, read: 0 },
    cut: () => controller.error(clientGone()),
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        // A copy: a view that waits in a socket would keep the whole.
        const piece = new Uint8Array(bytes.subarray(answer.read, answer.read + PIECE));
        answer.read += piece.length;
        controller.enqueue(piece);
        if (answer.read < bytes.length) return;
        controller.close();
        end(answer);
      },
      cancel: () => end(answer),
    },
    { highWaterMark: 0 },
  );
  return { answer, stream };
}

/**
 * @param elapsed milliseconds that only ever advance
 */
export function createHeavyAnswers(
  limits: HeavyAnswerLimits,
  elapsed: () => number,
  metrics: Pick<Metrics, 'countCut'>,
): HeavyAnswers {
  /** The oldest first. */
  const underWay = new Set<UnderWay>();
  const underWayOf = (client: Client) => [...underWay].filter((answer) => answer.client === client);
  const turns = createTurns(limits, elapsed, (client) => underWayOf(client).length);

  function end(answer: UnderWay): void {
    if (underWay.delete(answer)) turns.beginNext();
  }

  function cut(answer: UnderWay): void {
    metrics.countCut();
    answer.cut();
    end(answer);
  }

  /**
   * Ends answers until another one fits: the one that is read most slowly of those that have had their grace, and while
   * none has, the oldest of whoever has the most.
   */
  function makeRoom(size: number): void {
    const time = elapsed();
    const pace = ({ read, since }: UnderWay) => read / (time - since);
    for (;;) {
      const all = [...underWay];
      const together = all.reduce((sum, answer) => sum + answer.size, size);
      if (together <= limits.together || all.length === 0) return;
      const seasoned = all.filter(({ since }) => time - since > limits.grace);
      const share = ({ client }: UnderWay) =>
        underWayOf(client).reduce((sum, answer) => sum + answer.size - answer.read, 0);
      const victim =
        seasoned.length > 0
          ? seasoned.reduce((slowest, one) => (pace(one) < pace(slowest) ? one : slowest))
          : all.reduce((greediest, one) => (share(one) > share(greediest) ? one : greediest));
      cut(victim);
    }
  }

  const timer = setInterval(() => {
    const time = elapsed();
    for (const answer of [...underWay]) {
      if (fallsBehind({ bytes: answer.read, elapsed: time - answer.since }, limits)) cut(answer);
    }
    turns.refuseThoseWaitingLong(time);
  }, limits.checkEvery);
  timer.unref();

  return {
    takeTurn: turns.take,

    bodyOf(client, text) {
      // A character is one byte at least: most answers are light, and are not measured.
      if (text.length < limits.heavy) return text;
      const bytes = Buffer.from(text);
      makeRoom(bytes.length);
      const { answer, stream } = streamOf(bytes, client, elapsed(), end);
      underWay.add(answer);
      return { stream, length: bytes.length };
    },

    stop: () => clearInterval(timer),
  };
}
