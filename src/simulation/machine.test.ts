// Each of a machine's clocks goes its own way.
import { expect, it } from 'vitest';
import { Machine } from './machine.ts';

const EPOCH = Date.parse('2030-01-01T00:00:00Z');

function aMachine(pauses: boolean) {
  const world = { time: 100 };
  return { world, machine: new Machine(() => world.time, EPOCH, { pauses }) };
}

it('sets its calendar, and no other clock', () => {
  const { world, machine } = aMachine(true);
  const { wall, monotonic, sinceBoot } = machine.startProcess();
  world.time += 5;
  machine.offset = -1000;
  expect([wall(), monotonic(), sinceBoot()]).toEqual([EPOCH + 105 - 1000, 5, 5]);
});

it('begins a monotonic clock with each process', () => {
  const { world, machine } = aMachine(true);
  const first = machine.startProcess();
  world.time += 5;
  const second = machine.startProcess();
  world.time += 2;
  expect([first.monotonic(), second.monotonic(), second.sinceBoot()]).toEqual([7, 2, 7]);
});

it.each([
  ['may stand still', true, 1],
  ['may go on', false, 11],
])('has monotonic clocks that %s while it is suspended', (_, pauses, counted) => {
  const { world, machine } = aMachine(pauses);
  const { wall, monotonic, sinceBoot } = machine.startProcess();
  world.time += 10;
  expect(machine.wakeAfter(10)).toBe(pauses ? 10 : 0);
  world.time += 1;
  expect([wall(), monotonic(), sinceBoot()]).toEqual([EPOCH + 111, counted, 11]);
});

it('counts from its last start', () => {
  const { world, machine } = aMachine(true);
  world.time += 10;
  machine.reboot();
  world.time += 3;
  expect(machine.startProcess().sinceBoot()).toBe(3);
});
