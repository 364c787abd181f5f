import { expect, it } from 'vitest';
import { liveYear } from './year.ts';

it('a year shows what is warned of, held, released and delivered, in 80 columns', async () => {
  const lines: string[] = [];
  const end = await liveYear({ say: (line) => void lines.push(line), pace: 0 });
  expect(end).toEqual({ released: 7, delivered: 7, watching: 1 });
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  // Each day begins a line of its own, and wrapped lines follow it.
  const told = lines.join('\n').replace(/\n {25}/g, ' ');
  for (const event of [
    '2030-03-14  Scroll 1   Warned: 7 days are left.',
    '2030-03-21  Scroll 1   RELEASED.',
    'Scroll 2   Its author presses the link in the mail. The silence begins anew.',
    '2030-05-02  Scroll 3   HELD: its time has come, but the server was away.',
    '2030-05-04  Scroll 3   RELEASED.',
    '2030-06-15  Scroll 4   HELD: its time has come, but no mail server has taken a warning.',
    '2030-06-25  Scroll 4   RELEASED.',
    '2030-08-01  Scroll 5   HELD: its day has begun by a calendar that was set forward.',
    '2030-08-15  Scroll 5   RELEASED.',
    '2030-10-01  The switch PAUSED:',
    '2030-10-07  Scroll 6   RELEASED once more, under the same number of its message.',
    '2030-12-16  Scroll 7   RELEASED.',
    '2030-12-20  The server The calendar is put right. Nothing was paused, held or released.',
    '2031-01-10  The switch PAUSED:',
    '2031-04-10  The switch Goes on by itself:',
    '2031-05-10  Scroll 8   RELEASED.',
  ]) {
    expect(told).toContain(event);
  }
  expect(told).not.toContain('null');
  const onLaptop = told.slice(told.indexOf('It moves to a laptop'), told.indexOf('The laptop breaks'));
  expect(onLaptop).not.toContain('The switch');
}, 300_000);
