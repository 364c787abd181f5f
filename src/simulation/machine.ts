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
  /** Which start of which machine that was; null where its system does not tell. */
  bootId: () => string | null;
  /** Whether the machine knows that its calendar is right. */
  synchronised: () => boolean;
}

export interface MachineKind {
  /** Whether monotonic clocks stand still while it is suspended, as they do on Linux. */
  pauses?: boolean;
  /** Whether the clock since its start does so as well, as in a virtual machine that its host suspends. */
  stops?: boolean;
  /** Whether it follows a time server, and says so while its calendar is right. */
  synchronises?: boolean;
  /** Whether its system tells one start from another, as it does on Linux. */
  numbersBoots?: boolean;
  /** No other machine has it. */
  name?: string;
}

export class Machine {
  /** How wrong its calendar is, in milliseconds. */
  offset = 0;
  /** By how much it was set beside that, as it is by minutes again and again. */
  jitter = 0;
  readonly #trueTime: Clock;
  readonly #epoch: number;
  readonly #pauses: boolean;
  readonly #stops: boolean;
  readonly #synchronises: boolean;
  readonly #numbersBoots: boolean;
  #bootedAt: number;
  readonly #name: string;
  #boots = 0;
  #suspended = 0;

  /**
   * @param trueTime milliseconds
   * @param epoch what a right calendar says when the true time is 0
   */
  constructor(
    trueTime: Clock,
    epoch: number,
    {
      pauses = true,
      stops = false,
      synchronises = false,
      numbersBoots = true,
      name = 'the machine',
    }: MachineKind = {},
  ) {
    this.#name = name;
    this.#trueTime = trueTime;
    this.#epoch = epoch;
    this.#pauses = pauses || stops;
    this.#stops = stops;
    this.#synchronises = synchronises;
    this.#numbersBoots = numbersBoots;
    this.#bootedAt = trueTime();
  }

  /** It was suspended for so long, up to now. Returns by how much its monotonic clocks are behind for it. */
  wakeAfter(suspended: number): number {
    const behind = this.#pauses ? suspended : 0;
    this.#suspended += behind;
    if (this.#stops) this.#bootedAt += suspended;
    return behind;
  }

  /** Whether it says that its calendar is right. */
  get synchronised(): boolean {
    return this.#synchronises && this.offset === 0 && this.jitter === 0;
  }

  /** It loses its power, or is started anew. No process lives through that. */
  reboot(): void {
    this.#bootedAt = this.#trueTime();
    this.#boots += 1;
  }

  /** The clocks of a process that begins now. */
  startProcess(): ProcessClocks {
    const awake = () => this.#trueTime() - this.#suspended;
    const startedAt = awake();
    return {
      wall: () => this.#epoch + this.#trueTime() + this.offset + this.jitter,
      monotonic: () => awake() - startedAt,
      sinceBoot: () => this.#trueTime() - this.#bootedAt,
      bootId: () => (this.#numbersBoots ? `${this.#name}, boot ${this.#boots}` : null),
      synchronised: () => this.synchronised,
    };
  }
}
