// Somebody before a browser: what they press, write and read. Each step waits until it can be done, and says what was
// missing where it cannot.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, look, type Sight, type Sought, wasPressed } from './sight.ts';
import type { Key, Tab } from './tab.ts';
import { until } from './until.ts';

export const DIALOG: Sought = { role: 'dialog' };

/** How often something is pressed, and how often it is looked whether that has reached it. */
const PRESSES = 5;
const LOOKS = 50;
const BETWEEN_LOOKS = 40;

export class Visitor {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** Waits until this is to be seen and, if given, says these words. */
  async sees(sought: Sought, words: string | RegExp = ''): Promise<Sight> {
    const seen = await until(
      `${describe(sought)}${words === '' ? '' : ` says ${words}`}`,
      () => look(this.tab, sought),
      (sight) =>
        sight !== null && (typeof words === 'string' ? sight.text.includes(words) : words.test(sight.text)),
    );
    return seen as Sight;
  }

  async seesHeading(name: string): Promise<void> {
    await this.sees({ role: 'heading', name });
  }

  async seesToast(title: string): Promise<void> {
    await this.sees({ role: 'region', name: /Notifications/ }, title);
  }

  /** Waits until there is no such thing any more. */
  async seesNo(sought: Sought): Promise<void> {
    await until(
      `no ${describe(sought)}`,
      () => look(this.tab, sought),
      (sight) => sight === null,
    );
  }

  /** Clicks in the middle of something, until it was pressed: on a busy machine a page may draw itself anew beneath a press. */
  async click(sought: Sought): Promise<void> {
    for (let tries = 0; tries < PRESSES; tries += 1) {
      await this.clickOnce(sought);
      for (let looks = 0; looks < LOOKS; looks += 1) {
        if (await wasPressed(this.tab)) return;
        await pause(BETWEEN_LOOKS);
      }
      // Whatever was in its place has been pressed, and it is gone.
      if ((await look(this.tab, sought)) === null) return;
    }
    throw new Error(`${describe(sought)} was pressed ${PRESSES} times, and each press went elsewhere`);
  }

  /** Clicks in the middle of something, once it can be pressed and rests. */
  private async clickOnce(sought: Sought): Promise<void> {
    let before: Sight['middle'] = null;
    const sight = await until(
      `${describe(sought)} can be pressed`,
      () => look(this.tab, sought, 'show'),
      (seen) => {
        const middle = seen && !seen.disabled ? seen.middle : null;
        const rests = middle !== null && middle.x === before?.x && middle.y === before.y;
        before = middle;
        return rests;
      },
    );
    if (sight?.middle) await this.tab.click(sight.middle.x, sight.middle.y);
  }

  async press(name: string | RegExp, within?: Sought): Promise<void> {
    await this.click({ role: 'button', name, ...(within ? { within } : {}) });
  }

  async follow(name: string | RegExp): Promise<void> {
    await this.click({ role: 'link', name });
  }

  /** Types into an empty field. */
  async fill(sought: Sought, text: string): Promise<void> {
    await this.click(sought);
    await until(
      `${describe(sought)} is empty and has the focus`,
      () => look(this.tab, sought),
      (sight) => sight?.focused === true && sight.value === '',
    );
    await this.tab.type(text);
    await until(
      `${describe(sought)} holds what was typed`,
      () => look(this.tab, sought),
      (sight) => sight?.value === text,
    );
  }

  /** Chooses the line of a list that begins so, by the arrow keys. */
  async choose(label: string, line: string, within?: Sought): Promise<void> {
    const sought = { label, ...(within ? { within } : {}) };
    const way = (sight: Sight | null) => {
      const wanted = sight?.choices.findIndex((text) => text.startsWith(line)) ?? -1;
      return wanted < 0 || !sight ? null : wanted - sight.chosen;
    };
    let sight = await until(
      `${describe(sought)} offers ${line}`,
      () => look(this.tab, sought, 'focus'),
      (seen) => seen?.focused === true && way(seen) !== null,
    );
    for (let steps = way(sight); steps !== 0; steps = way(sight)) {
      const { chosen } = sight ?? {};
      const key: Key = (steps ?? 0) > 0 ? 'ArrowDown' : 'ArrowUp';
      await this.tab.press(key);
      sight = await until(
        `${describe(sought)} moves towards ${line}`,
        () => look(this.tab, sought),
        (seen) => seen !== null && seen.chosen !== chosen,
      );
    }
  }

  /** Ticks a box. */
  async tick(sought: Sought): Promise<void> {
    await this.click(sought);
    await until(
      `${describe(sought)} is ticked`,
      () => look(this.tab, sought),
      (sight) => sight?.checked === true,
    );
  }

  /** The text of a field, once there is one. */
  async valueOf(sought: Sought): Promise<string> {
    const sight = await until(
      `${describe(sought)} has a value`,
      () => look(this.tab, sought),
      (seen) => Boolean(seen?.value),
    );
    return sight?.value ?? '';
  }

  /** Where the browser is. */
  async address(): Promise<string> {
    return String(await this.tab.evaluate('location.href'));
  }
}
