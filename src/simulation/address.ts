// PUBLIC_URL in a simulated world: a tunnel that is down keeps everybody out, and a router that leads no way back keeps
// one server from finding itself.
import { DAY, HOUR } from '../shared/time.ts';
import type { Random } from './random.ts';

const AT_MOST = 150 * DAY;

export class Address {
  #fails: 'nobody' | 'everybody' | number = 'nobody';
  #until = 0;

  /** Whether people reach it. */
  get isReached(): boolean {
    return this.#fails !== 'everybody';
  }

  /** Whether it leads a server to itself. @param berth the server's place */
  answers(slot: number): boolean {
    return this.isReached && this.#fails !== slot;
  }

  get fails(): boolean {
    return this.#fails !== 'nobody';
  }

  /** @param slots how many servers there are */
  fail(random: Random, time: number, slots: number): void {
    this.#fails = random.chance(0.25) ? random.whole(0, slots - 1) : 'everybody';
    this.#until = time + HOUR * Math.exp(random.between(0, Math.log(AT_MOST / HOUR)));
  }

  recoverBy(time: number): void {
    if (time >= this.#until) this.#fails = 'nobody';
  }

  recover(): void {
    this.#fails = 'nobody';
  }
}
