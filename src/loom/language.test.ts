import { expect, test } from 'vitest';
import { isEnglish } from './language.ts';

test.each([
  [true, 'I kept the lantern because it was hers.'],
  [true, 'It’s fine. We’ve been here before, and nobody minds.'],
  [true, 'We met in a café in São Paulo, and I still have the menu.'],
  [false, 'In der Not war er so still, dass man die Uhr hörte, und am Ende ging er in den Garten.'],
  [false, 'We waren in de tuin en het was nog vroeg, en mijn moeder had is over wat er was.'],
  [false, 'Quand je suis né, il y avait un figuier dans la cour.'],
  [false, 'No me digas que no, a mi me da lo mismo si me voy o no.'],
  [false, 'Вчера мы гуляли у реки.'],
  [false, '祖母の台所には、いつも青い薬缶が置いてあった。'],
  [false, 'lantern'],
  [false, '12 34 56'],
  [false, ''],
])('%s: %s', (english, text) => {
  expect(isEnglish([[text]])).toBe(english);
});

test('one long paragraph in another language makes a text not English', () => {
  const mine = 'I was there, and she was with me, and we did not speak of it for years and years after that.';
  const theirs =
    'Wenn sie müde war, sprach sie nur noch Deutsch, ganz leise, und ich verstand beinahe alles davon.';
  expect(isEnglish([[mine], [theirs]])).toBe(false);
  expect(isEnglish([[mine], ['Auf Wiedersehen.']])).toBe(true);
});
