// The blocks of docs/threat-model.md about a server that lies: what browsers believe, what was not tried, and what is
// refused of the attacks that were published.
import { fill } from './fields.mjs';

const WORDS = {
  'another-account': 'another account’s',
  older: 'an older one',
  'another-row': 'another row’s',
  shorter: 'less or earlier',
  longer: 'more or later',
  null: 'null',
  missing: 'nothing',
  'another-type': 'another type',
  fault: 'an error',
  denial: 'not found',
  'no-json': 'no JSON',
  empty: 'an empty success',
  silence: 'no answer',
  'signed-out': '“not signed in”',
  unproved: '“prove it is you”',
  two: 'two at once',
  answer: 'an answer for an error',
};

const place = (text) => {
  const [call, path] = text.split(' ');
  return path ? `\`${call}\` ${path.replaceAll('[]', '').replace(/^\./, '') || 'rows'}` : `\`${call}\` (all)`;
};

/** One line for each gain, with the places and the lies that bring it. */
function believedTable(believed, gains) {
  const byPlace = new Map(believed.map(({ call, path, kinds }) => [`${call} ${path}`, kinds]));
  const lines = gains.map(({ places, gain }) => {
    const kinds = new Set(places.flatMap((one) => byPlace.get(one) ?? []));
    const told = Object.keys(WORDS).filter((kind) => kinds.has(kind));
    return `| ${gain} | ${places.map(place).join(', ')} | ${told.map((kind) => WORDS[kind]).join(', ')} |`;
  });
  return [
    '| what an operator gains | answers, and what of them | believed lies |',
    '|---|---|---|',
    ...lines,
  ].join('\n');
}

function notTriedTable(callsNotTried) {
  const byReason = new Map();
  for (const [call, why] of Object.entries(callsNotTried))
    byReason.set(why, [...(byReason.get(why) ?? []), call]);
  const lines = [...byReason].map(
    ([why, calls]) => `- ${calls.map((call) => `\`${call}\``).join(', ')}: ${why}`,
  );
  return lines.join('\n');
}

const shownBy = (tests) =>
  tests.map(([file, title]) => `“${title}” ([${file.split('/').at(-1)}](../${file}))`).join('; ');

const publishedTable = (attacks) =>
  [
    '| attack | weakness | answer here | shown by |',
    '|---|---|---|---|',
    ...attacks.map(
      ({ ref, name, weakness, answer, tests }) =>
        `| ${ref} ${name} | ${weakness} | ${answer} | ${shownBy(tests)} |`,
    ),
  ].join('\n');

const attacksTable = (attackClasses) =>
  [
    '| class | of | answer | shown by |',
    '|---|---|---|---|',
    ...attackClasses.map(
      ({ name, of, answer, tests }) => `| ${name} | ${of} | ${answer} | ${shownBy(tests)} |`,
    ),
  ].join('\n');

/**
 * @param {string} document its text with the markers
 * @param {object} record what src/web/testing/lies/verdicts.json holds
 * @param sources what scripts/docs/sources.mjs exports
 */
export function fillLies(document, record, sources) {
  const { believedIn, gains, callsNotTried, attackClasses, publishedAttacks } = sources;
  const believed = believedIn(record.journeys);
  const lies = Object.values(record.journeys).flatMap((calls) =>
    Object.values(calls).flatMap((paths) => Object.values(paths)),
  );
  const count = (verdict) => lies.reduce((sum, verdicts) => sum + (verdicts[verdict] ?? []).length, 0);
  const all = ['believed', 'refused', 'noticed', 'harmless'].map(count);
  const total = all.reduce((sum, one) => sum + one, 0);
  const says = `On ${Object.keys(record.journeys).length} journeys ${total.toLocaleString('en-GB')} lies were told: ${all[1].toLocaleString('en-GB')} were refused, ${all[2].toLocaleString('en-GB')} noticed, ${all[3].toLocaleString('en-GB')} were harmless, and ${all[0].toLocaleString('en-GB')} were believed. Counted once for each place, whatever the journey, **${record.believed.toLocaleString('en-GB')}** are believed.`;
  const filled = fill(document, 'lies', `${says}\n\n${believedTable(believed, gains)}`);
  const listed = fill(filled, 'not-tried', notTriedTable(callsNotTried));
  return fill(
    fill(listed, 'published', publishedTable(publishedAttacks)),
    'attacks',
    attacksTable(attackClasses),
  );
}
