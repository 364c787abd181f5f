// The clocks of a simulated machine. Nobody within it can read the true time that moves them.
import type { Clock } from '../server/clock.ts';

/** What a process of the machine is handed, in milliseconds. */
export interface ProcessClocks {
  /** The calendar since the epoch. Somebody may set it. */
  wall: Clock;
  /** Begins with the process. It may stand still while the machine is suspended. */
  monotonic: Clock;
  /** Since the machine was started, its suspensions included. */
  sinceBoot: Clock;
}

export class Machine {
  /** How wrong its calendar is, in milliseconds. */
  offset = 0;
  readonly #trueTime: Clock;
  readonly #epoch: number;
  readonly #pauses: boolean;
  #bootedAt: number;
  #suspended = 0;

  /**
   * @param trueTime milliseconds
   * @param epoch what a right calendar says when the true time is 0
   * @param pauses whether monotonic clocks stand still while it is suspended, as they do on Linux
   */
  constructor(trueTime: Clock, epoch: number, pauses = true) {
    this.#trueTime = trueTime;
    this.#epoch = epoch;
    this.#pauses = pauses;
    this.#bootedAt = trueTime();
  }

  /** It was suspended for so long, up to now. Returns by how much its monotonic clocks are behind for it. */
  wakeAfter(suspended: number): number {
    const behind = this.#pauses ? suspended : 0;
    this.#suspended += behind;
    return behind;
  }

  /** It loses its power, or is started anew. No process lives through that. */
  reboot(): void {
    this.#bootedAt = this.#trueTime();
  }

  /** The clocks of a process that begins now. */
  startProcess(): ProcessClocks {
    const awake = () => this.#trueTime() - this.#suspended;
    const startedAt = awake();
    return {
      wall: () => this.#epoch + this.#trueTime() + this.offset,
      monotonic: () => awake() - startedAt,
      sinceBoot: () => this.#trueTime() - this.#bootedAt,
    };
  }
}
