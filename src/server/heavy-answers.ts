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
  /** What all answers under way may hold together. */
  held: number;
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
  held: 128 * MEGABYTE,
  checkEvery: 5_000,
  grace: 10_000,
  bytesPerSecond: 4 * 1024,
};

/** Whoever an answer is for: an account's number, or the address of somebody who is not signed in. */
export type Holder = number | string;

export interface HeavyAnswers {
  /**
   * Waits until another list may be made for somebody. Accounts take turns.
   * @param signal the client's: a wait ends when it leaves
   * @returns how to give the turn back, once the answer is made
   * @throws AppError `too-many` where too many calls of the same account wait already, none could begin for long, or the
   *   client has left
   */
  takeTurn(holder: Holder, signal: AbortSignal): Promise<() => void>;
  /** What carries a text: itself, or where it is heavy a stream that sends a piece when the one before was read. */
  bodyOf(holder: Holder, text: string): string | HeavyBody;
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
  holder: Holder;
  size: number;
  /** How much has been read of it. */
  read: number;
  since: number;
  cut: () => void;
}

const PIECE = 64 * 1024;
const STILL_UNREAD = 'Earlier answers of yours are still under way.';

/**
 * @param elapsed milliseconds that only ever advance
 */
export function createHeavyAnswers(
  limits: HeavyAnswerLimits,
  elapsed: () => number,
  metrics: Pick<Metrics, 'countCut'>,
): HeavyAnswers {
  /** Whose answers are being made. */
  const making: Holder[] = [];
  /** The oldest first. */
  const underWay = new Set<UnderWay>();
  /** The calls that wait, by account, each account's oldest first. The account whose turn is next comes first. */
  const waiting = new Map<Holder, Waiting[]>();

  function mayBegin(holder: Holder): boolean {
    const made = making.filter((one) => one === holder).length;
    return making.length < limits.makers && made + underWayOf(holder).length < limits.perAccount;
  }
  const underWayOf = (holder: Holder) => [...underWay].filter((answer) => answer.holder === holder);

  function begin(holder: Holder): () => void {
    making.push(holder);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      making.splice(making.indexOf(holder), 1);
      beginNext();
    };
  }

  /** Lets in whoever may begin now. An account that has had a turn stands at the end again. */
  function beginNext(): void {
    for (const [holder, calls] of [...waiting]) {
      if (!mayBegin(holder)) continue;
      // Behind all others, and there again where it has more calls.
      waiting.delete(holder);
      waiting.set(holder, calls);
      calls[0]?.begin();
    }
  }

  function leaveQueue(holder: Holder, call: Waiting): void {
    const others = (waiting.get(holder) ?? []).filter((one) => one !== call);
    if (others.length > 0) waiting.set(holder, others);
    else waiting.delete(holder);
  }

  function end(answer: UnderWay): void {
    if (underWay.delete(answer)) beginNext();
  }

  function cut(answer: UnderWay): void {
    metrics.countCut();
    answer.cut();
    end(answer);
  }

  /**
   * Ends answers until another one fits: the one that is read most slowly of those that have had their grace, and while
   * none has, the oldest of whoever holds the most.
   */
  function makeRoom(size: number): void {
    const time = elapsed();
    const pace = ({ read, since }: UnderWay) => read / (time - since);
    for (;;) {
      const all = [...underWay];
      const held = all.reduce((sum, answer) => sum + answer.size, size);
      if (held <= limits.held || all.length === 0) return;
      const seasoned = all.filter(({ since }) => time - since > limits.grace);
      const share = ({ holder }: UnderWay) =>
        underWayOf(holder).reduce((sum, answer) => sum + answer.size - answer.read, 0);
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
    for (const call of [...waiting.values()].flat()) {
      if (time - call.since > limits.patience) call.refuse(tooMany(limits.checkEvery, STILL_UNREAD));
    }
  }, limits.checkEvery);
  timer.unref();

  return {
    async takeTurn(holder, signal) {
      if (mayBegin(holder) && !waiting.has(holder)) return begin(holder);
      const calls = waiting.get(holder) ?? [];
      if (signal.aborted) throw clientGone();
      if (calls.length >= limits.waiting) throw tooMany(SECOND);
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          leaveQueue(holder, call);
          signal.removeEventListener('abort', leave);
        };
        const call: Waiting = {
          since: elapsed(),
          begin: () => {
            stopWaiting();
            resolve(begin(holder));
          },
          refuse: (error) => {
            stopWaiting();
            reject(error);
          },
        };
        const leave = () => call.refuse(clientGone());
        waiting.set(holder, [...calls, call]);
        signal.addEventListener('abort', leave, { once: true });
      });
    },

    bodyOf(holder, text) {
      // A character is one byte at least: most answers are light, and are not measured.
      if (text.length < limits.heavy) return text;
      const bytes = Buffer.from(text);
      makeRoom(bytes.length);
      let controller: ReadableStreamDefaultController<Uint8Array>;
      const answer: UnderWay = {
        holder,
        size: bytes.length,
        read: 0,
        since: elapsed(),
        cut: () => controller.error(new Error('The answer was not read.')),
      };
      underWay.add(answer);
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
      return { stream, length: bytes.length };
    },

    stop: () => clearInterval(timer),
  };
}
