// Importing in the browser: whether the page stays smooth with ten thousand messages, and whether a zip of 500 MB is read
// where it lies. `node bench/imports.mjs` measures this alone and fails when the page is held up or memory grows.
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { launchBrowser } from './browser.mjs';
import { median, newFolder, startInstance } from './instance.mjs';
import { addAuthenticator, becomeMember } from './person.mjs';

const MESSAGES = 10_000;
const ROUNDS = 3;
const ZIP_BYTES = 500 * 1024 * 1024;

/** So many messages, ten a day, as an Android phone exports them. */
function conversation() {
  const lines = Array.from({ length: MESSAGES }, (_, i) => {
    const day = new Date(Date.UTC(2015, 0, 1 + Math.floor(i / 10))).toISOString().slice(0, 10);
    const [year, month, date] = day.split('-');
    return `${date}.${month}.${year.slice(2)}, 10:${String(i % 60).padStart(2, '0')} - ${i % 2 ? 'Nora' : 'Tom'}: We walked along the harbour, ${i} steps`;
  });
  return lines.join('\n');
}

/** A zip whose one video is a hole in the file: nothing but its name takes room on the disk. */
function writeLargeZip(path) {
  const journal = Buffer.from(
    JSON.stringify({
      metadata: { version: '1.0' },
      entries: Array.from({ length: 2000 }, (_, i) => ({
        uuid: `E${i}`,
        creationDate: new Date(Date.UTC(2015, 0, 1 + i)).toISOString(),
        timeZone: 'Europe/Vienna',
        text: `Day ${i}. ${'We walked along the harbour and said little. '.repeat(20)}`,
      })),
    }),
  );
  const packed = deflateRawSync(journal);
  const video = ZIP_BYTES - packed.length - 1000;
  const files = [
    { name: 'videos/harbour.mov', method: 0, size: video, packed: video, sum: 0, at: 0 },
    {
      name: 'Journal.json',
      method: 8,
      size: journal.length,
      packed: packed.length,
      sum: crc32(journal),
      at: 0,
    },
  ];
  const header = (file, directory) => {
    const record = Buffer.alloc(directory ? 46 : 30);
    let at = record.writeUInt32LE(directory ? 0x02014b50 : 0x04034b50);
    if (directory) at = record.writeUInt16LE(20, at);
    at = record.writeUInt16LE(20, at);
    at = record.writeUInt16LE(0, at);
    at = record.writeUInt16LE(file.method, at);
    at = record.writeUInt32LE(0x58210000, at);
    at = record.writeUInt32LE(file.sum, at);
    at = record.writeUInt32LE(file.packed, at);
    at = record.writeUInt32LE(file.size, at);
    record.writeUInt16LE(file.name.length, at);
    if (directory) record.writeUInt32LE(file.at, 42);
    return Buffer.concat([record, Buffer.from(file.name)]);
  };
  const fd = openSync(path, 'w');
  const [first, second] = files;
  let at = writeSync(fd, header(first, false), 0, undefined, 0) + video;
  second.at = at;
  at += writeSync(fd, Buffer.concat([header(second, false), packed]), 0, undefined, at);
  const directory = Buffer.concat(files.map((file) => header(file, true)));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  ftruncateSync(fd, at);
  writeSync(fd, Buffer.concat([directory, end]), 0, undefined, at);
  closeSync(fd);
}

/** The memory of this process's descendants that show pages, in bytes; where it cannot be read, 0. */
function rendererMemory() {
  const parents = new Map();
  const sizes = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      parents.set(pid, /^PPid:\s+(\d+)/m.exec(status)?.[1]);
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'))
        sizes.set(pid, Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid) => pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)));
  return [...sizes].reduce((sum, [pid, size]) => sum + (isOurs(pid) ? size : 0), 0);
}

/** Watches the page's frames from now on. Returns how to end that, in the page. */
const watchFrames = (page) =>
  page.evaluate(() => {
    const seen = { gap: 0, last: performance.now(), on: true };
    window.framesSeen = seen;
    const frame = (now) => {
      seen.gap = Math.max(seen.gap, now - seen.last);
      seen.last = now;
      if (seen.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
const longestGap = (page) =>
  page.evaluate(() => {
    window.framesSeen.on = false;
    return window.framesSeen.gap;
  });

/** Ten thousand messages, from the choice of the file until the last memory is sealed. */
async function importMessages(browser, url, file) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await addAuthenticator(page);
  await becomeMember(page, url);
  await page.goto(`${url}/imports`);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await page.waitForLoadState('networkidle');
  await watchFrames(page);
  const began = Date.now();
  await page.getByLabel('Files to import').setInputFiles(file);
  await page.getByText(/^1,000 of 1,000 memories/).waitFor();
  const shown = Date.now() - began;
  const previewGap = await longestGap(page);
  await watchFrames(page);
  await page.getByRole('button', { name: 'Import 1,000 memories' }).click();
  await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 120_000 });
  const gap = Math.max(previewGap, await longestGap(page));
  const total = Date.now() - began;
  await page.context().close();
  return { shown, total, gap };
}

async function importLargeZip(browser, url, file) {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await addAuthenticator(page);
  await becomeMember(page, url);
  await page.goto(`${url}/imports`);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  const before = rendererMemory();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, rendererMemory());
  }, 50);
  await watchFrames(page);
  const began = Date.now();
  await page.getByLabel('Files to import').setInputFiles(file);
  await page.getByText(/^2,000 of 2,000 memories/).waitFor({ timeout: 120_000 });
  const shown = Date.now() - began;
  const gap = await longestGap(page);
  clearInterval(sampling);
  await page.context().close();
  return { shown, gap, memory: peak - before };
}

const MB = 1024 * 1024;
const MEMORY_MAX = 150 * MB;

export async function measureImports() {
  const instance = await startInstance();
  const browser = await launchBrowser();
  const folder = join(newFolder(), 'files');
  mkdirSync(folder);
  try {
    const chat = join(folder, 'WhatsApp Chat with Nora.txt');
    writeFileSync(chat, conversation());
    const zip = join(folder, 'Journal.zip');
    writeLargeZip(zip);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await importMessages(browser, instance.url, chat));
    const large = await importLargeZip(browser, instance.url, zip);
    const gap = median(rounds.map((round) => round.gap));
    const seconds = median(rounds.map((round) => round.total)) / 1000;
    return [
      {
        what: '10,000 messages imported, longest frame gap',
        measured: `${Math.round(gap)} ms (${seconds.toFixed(1)} s in all)`,
        target: '≤ 50 ms',
        met: gap <= 50,
      },
      {
        what: 'a zip of 500 MB shown, memory of the page and its worker',
        measured: `${Math.round(large.memory / MB)} MB more (${(large.shown / 1000).toFixed(1)} s, frame gap ${Math.round(large.gap)} ms)`,
        target: `≤ ${MEMORY_MAX / MB} MB`,
        met: large.memory <= MEMORY_MAX,
      },
    ];
  } finally {
    await browser.close();
    await instance.stop();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sections = await measureImports();
  for (const { what, measured, target, met } of sections)
    process.stdout.write(`${what}: ${measured}, ${target}, ${met ? 'met' : 'MISSED'}\n`);
  if (sections.some(({ met }) => !met)) process.exitCode = 1;
}
