// What somebody waits for who opens an Ark from a disk: from the words to the list, and to what a search finds; and how large it is. In
// Chromium, and in Firefox and WebKitGTK where those are installed. The
// entries are cuttings of a kilobyte from this project's own documents, which are as hard to compress as what people write.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runBundled } from '../scripts/run-bundled.mjs';
import { installedEngines } from './engines.mjs';
import { median, root } from './instance.mjs';

const ROUNDS = 5;
const TEXT_BYTES = 1000;
const key = Uint8Array.from({ length: 32 }, (_, i) => i);
/** The last entry alone has it. */
const SOUGHT = 'zugunruhe';

/** Numbers that look random, and are always the same. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function contentsOf(count, arkText) {
  const documents = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readFileSync(join(root, 'docs', name), 'utf8'))
    .join('\n');
  const roll = dice(count);
  const entries = Array.from({ length: count }, (_, i) => {
    const from = roll(documents.length - TEXT_BYTES);
    const text = documents.slice(from, from + TEXT_BYTES);
    const writtenAt = new Date(1_700_000_000_000 - i * 3_600_000).toISOString();
    return {
      facts: [],
      files: [],
      kind: 'memory',
      tags: [],
      text,
      title: text.slice(0, 30).trim(),
      writtenAt,
    };
  });
  entries.at(-1).text += SOUGHT;
  return arkText(entries[0].writtenAt, entries, []);
}

/** Opens the page by its words, and looks for one; each in milliseconds, from the press or the stroke to the next frame. */
const timed = (words) => `(async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const listed = () => document.querySelectorAll('#list a').length;
  // Whoever looked with each frame would have the page draw, in the time that is measured.
  const list = document.getElementById('list');
  const filled = new Promise((resolve) => new MutationObserver(resolve).observe(list, { childList: true }));
  document.getElementById('words').value = '${words}';
  const pressed = performance.now();
  document.getElementById('by-words').requestSubmit();
  await filled;
  await drawn();
  const opened = performance.now();
  const query = document.getElementById('query');
  query.value = '${SOUGHT}';
  query.dispatchEvent(new Event('input'));
  await drawn();
  if (listed() !== 1) throw new Error(listed() + ' are found');
  return { opening: opened - pressed, searching: performance.now() - opened };
})()`;

async function timesOf(engine, path, words) {
  const tab = await engine.newTab();
  await tab.open(pathToFileURL(path).href);
  const times = await tab.evaluate(timed(words));
  await tab.close();
  return times;
}

/** @param arks how many entries each has, its file, how often it is opened, and how long that may take */
async function rowsOf([name, launch], arks, words) {
  const rows = [];
  const engine = await launch();
  try {
    for (const { count, path, rounds, target } of arks) {
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timesOf(engine, path, words));
      const opening = median(times.map((one) => one.opening));
      const all = median(times.map((one) => one.opening + one.searching));
      rows.push({
        what: `${name}, ${arkOf(count)}: from the words to the list, and to what a first search finds`,
        measured: `${Math.round(opening)} and ${Math.round(all)} ms`,
        target: `≤ ${target} ms`,
        met: all <= target,
      });
    }
  } finally {
    await engine.close();
  }
  return rows;
}

const arkOf = (count) => `an Ark of ${count.toLocaleString('en')} entries of a kilobyte`;

/** @returns {Promise<{what: string, measured: string, target: string, met: boolean}[]>} */
export async function measureArk() {
  const { arkText } = await runBundled('src/ark/contents.ts');
  const { writeArk } = await runBundled('src/ark/write-ark.ts');
  const { wordsFromKey } = await runBundled('src/crypto/words.ts');
  const words = wordsFromKey(key).join(' ');
  const folder = mkdtempSync(join(tmpdir(), 'latebra-ark-'));
  try {
    const arks = [
      { count: 10_000, rounds: ROUNDS, target: 400 },
      { count: 100_000, rounds: 1, target: 5000 },
    ].map((one) => ({ ...one, path: join(folder, `${one.count}.html`) }));
    for (const { count, path } of arks)
      writeFileSync(
        path,
        await writeArk(contentsOf(count, arkText), key, { passphrase: null, kitSecrets: [] }),
      );
    const size = statSync(arks[0].path).size / 1e6;
    const rows = [
      { what: arkOf(arks[0].count), measured: `${size.toFixed(1)} MB`, target: '≤ 6 MB', met: size <= 6 },
    ];
    for (const engine of installedEngines()) rows.push(...(await rowsOf(engine, arks, words)));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
