// The oracle of trusted contacts accuses nobody of what is allowed, and overlooks nothing that is not.
import { beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../shared/time.ts';
import { ContactOracle } from './contact-oracle.ts';
import { Breach } from './invariants.ts';
import { slowRules } from './scenario.ts';

const [AUTHOR, SCROLL] = [1, 2];
let oracle: ContactOracle;
beforeEach(() => {
  oracle = new ContactOracle(slowRules, () => {});
  oracle.named(AUTHOR);
  oracle.toldOf(AUTHOR, SCROLL, 0);
});
const release = (countedTime: number) => () => oracle.lookAtRelease(AUTHOR, SCROLL, 30 * DAY, countedTime);

it('a release within a day of what its contact was written is a breach', () => {
  expect(release(23 * HOUR)).toThrow(Breach);
  expect(release(DAY)).not.toThrow();
});

it('a message that takes the place of one that has not left begins no other day', () => {
  oracle.toldOf(AUTHOR, SCROLL, 20 * HOUR);
  expect(release(DAY)).not.toThrow();
});

it('a sign of life, a postponement and the end of a pause do', () => {
  for (const ends of [
    () => oracle.lived(AUTHOR, [SCROLL]),
    () => oracle.beginAnew(0),
    () => oracle.postponed(AUTHOR, -slowRules.postponement),
  ]) {
    ends();
    expect(release(10 * DAY)).toThrow(Breach);
    oracle.toldOf(AUTHOR, SCROLL, 20 * HOUR);
    expect(release(DAY)).toThrow(Breach);
    expect(release(44 * HOUR)).not.toThrow();
  }
});
