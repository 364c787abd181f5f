// Rules are found by what they mean, whatever their spelling, and one that is not there is missed.
import { describe, expect, it } from 'vitest';
import { SWITCH, withSwitches } from './rules-in-source.ts';

const source = `
const other = (a: number) => Math.min(a, 3);
export function limited(value: number, most: number): number {
  // No more than so much’s worth.
  return Math.min(value * 2, most);
}
`;
const place = { within: 'limited', find: 'Math.min($value, $most)', replace: '$value' };

async function load(text: string, places: Record<string, typeof place>) {
  const { transformWithOxc } = await import('vite');
  const { code } = await transformWithOxc(withSwitches(text, new Map(Object.entries(places))), 'limited.ts');
  const { limited } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return (value: number, most: number, without?: string) => {
    Reflect.set(globalThis, SWITCH, without);
    const result = limited(value, most);
    Reflect.deleteProperty(globalThis, SWITCH);
    return result;
  };
}

describe('a rule that was found in a source', () => {
  it('is there, and is taken away while the program runs', async () => {
    const limited = await load(source, { capped: place });
    expect([limited(5, 7), limited(5, 7, 'capped'), limited(5, 7, 'another')]).toEqual([7, 10, 7]);
  });

  it('may stand in another one, and beside one at the same place', async () => {
    const limited = await load(source, {
      doubled: { within: 'limited', find: '$value * 2', replace: '$value' },
      capped: place,
      turned: { ...place, replace: '-$most' },
    });
    expect(limited(5, 7)).toBe(7);
    expect(limited(2, 7, 'doubled')).toBe(2);
    expect(limited(5, 7, 'capped')).toBe(10);
    expect(limited(5, 7, 'turned')).toBe(-7);
  });

  it.each([
    [
      'reformatted',
      (text: string) => text.replace('Math.min(value * 2, most)', '(Math\n.min(value*2,\nmost,))'),
    ],
    ['with another name for a local', (text: string) => text.replaceAll('most', 'atMost')],
    [
      'in a function that is written otherwise',
      (text: string) => text.replace(/export function limited(.*) \{/, 'export const limited = $1 => {'),
    ],
  ])('is found %s', async (_, rewrite) => {
    expect(rewrite(source)).not.toBe(source);
    const limited = await load(rewrite(source), { capped: place });
    expect([limited(5, 7), limited(5, 7, 'capped')]).toEqual([7, 10]);
  });

  it.each([
    ['gone', { ...place, find: 'Math.max($value, $most)' }],
    ['with other arguments', { ...place, find: 'Math.min($most, $most)' }],
    ['in a function that is gone', { ...place, within: 'unlimited' }],
  ])('is missed when it is %s', (_, missing) => {
    expect(() => withSwitches(source, new Map([['capped', missing]]))).toThrow(/"capped": .* 0 times/);
  });

  it('must be the only one of its kind', () => {
    const twice = source.replace('return', 'Math.min(1, 2);\n  return');
    expect(() => withSwitches(twice, new Map([['capped', place]]))).toThrow(/2 times/);
  });
});
