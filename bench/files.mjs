// A large file of an entry, in a real browser through the built server: how fast it is sealed and sent, and opened and saved, what
// the page holds in memory meanwhile, and what the server does. The bare way beside it sends as many bytes in as large pieces,
// three at a time, from the same page to a server that does nothing but write them.
import { closeSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowserWith } from './browser.mjs';
import { newFolder, root, startInstance, startProcess } from './instance.mjs';
import { addAuthenticator, becomeMember } from './person.mjs';
import { openUnwatched } from './unwatched-browser.mjs';

const MIB = 1024 ** 2;
/** Two gibibytes; fewer mebibytes for a look at how it goes. */
const SIZE = Number(process.env.BENCH_FILE_MIB ?? 2048) * MIB;
/** As the app sends it (src/shared/file-limits.ts). */
const PIECE = 8 * MIB;
const AT_ONCE = 3;
const NAME = 'The whole summer.bin';

/** How much memory the page holds, of JavaScript and in buffers, in bytes: looked at until it is asked for the most. */
async function watchHeap(page) {
  const used = async () => {
    const { usedSize, backingStorageSize = 0 } = await page.send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  };
  await page.send('HeapProfiler.collectGarbage');
  const idle = await used();
  let [most, isOver] = [idle, false];
  const watched = (async () => {
    while (!isOver) {
      most = Math.max(most, await used());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  // Where the page goes meanwhile, what went wrong with it is told by whoever waits for it.
  watched.catch(() => {});
  return async () => {
    isOver = true;
    await watched;
    return most - idle;
  };
}

/** The most memory that a process has had, in bytes. */
const mostOf = (pid) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;

async function timed(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** Sends as many bytes without sealing, from the page to a server that writes them. */
const sendBare = (page, url) =>
  page.evaluate(`(async () => {
    let next = 0;
    const bytes = new Uint8Array(${PIECE});
    const send = async () => {
      for (let at = next; at < ${SIZE}; at = next) {
        next = at + ${PIECE};
        await fetch('${url}/' + at, { method: 'PUT', body: bytes });
      }
    };
    await Promise.all(Array.from({ length: ${AT_ONCE} }, send));
  })()`);

/** A browser lets nobody choose a place while nobody looks: here the page's own disk is chosen. */
const CHOOSE_OWN_DISK = `window.showSaveFilePicker = async ({ suggestedName }) => {
  const disk = await navigator.storage.getDirectory();
  return disk.getFileHandle(suggestedName, { create: true });
};`;

/** Nothing has its name before it was found to be whole. */
const IS_SAVED = `(async () => {
  const disk = await navigator.storage.getDirectory();
  return (await (await disk.getFileHandle('${NAME}')).getFile()).size === ${SIZE};
})()`;

/** A profile in which somebody is signed in whose vault is empty. */
async function profileOfMember(url) {
  const profile = newFolder();
  const context = await launchBrowserWith(profile);
  const page = await context.newPage();
  await addAuthenticator(page);
  await becomeMember(page, url);
  await context.close();
  return profile;
}

async function seal(page, file) {
  await page.press('button', 'New Memory');
  await page.type('[role="dialog"] input[enterkeyhint="next"]', 'The whole summer');
  await page.type('[role="dialog"] textarea', 'All that was filmed.');
  const heap = await watchHeap(page);
  const seconds = await timed(async () => {
    await page.choose('[role="dialog"] input[type="file"]', file);
    await page.until(`/Ready$/m.test(document.querySelector('[role="dialog"] form').innerText)`);
  });
  const grown = await heap();
  await page.press('button', 'Seal Memory');
  await page.until(`document.querySelector('[role="dialog"]') === null`);
  return { seconds, grown };
}

async function save(page) {
  await page.press('li button', 'The whole summer');
  await page.press('[role="dialog"] li button', NAME);
  await page.until(`document.querySelectorAll('[role="dialog"]').length === 2`);
  const heap = await watchHeap(page);
  const seconds = await timed(async () => {
    await page.press('[role="dialog"] button', 'Download');
    await page.until(IS_SAVED);
  });
  return { seconds, grown: await heap() };
}

export async function measureFiles() {
  const folder = newFolder();
  const file = join(folder, NAME);
  closeSync(openSync(file, 'w'));
  truncateSync(file, SIZE);
  process.env.QUOTA_BYTES = '8G';
  const instance = await startInstance();
  const bare = await startProcess(join(root, 'bench', 'bare-put.mjs'), { BENCH_FOLDER: folder });
  const profile = await profileOfMember(instance.url);
  const page = await openUnwatched(profile);
  try {
    await page.send('Page.enable');
    await page.send('Page.setBypassCSP', { enabled: true });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: CHOOSE_OWN_DISK });
    await page.send('Page.navigate', { url: `${instance.url}/memory-vault` });
    await page.until(`document.querySelector('h1') !== null`);
    const before = await timed(() => sendBare(page, bare.url));
    const sent = await seal(page, file);
    const after = await timed(() => sendBare(page, bare.url));
    const atSending = mostOf(instance.pid);
    const saved = await save(page);
    return rows({ sent, saved, bare: (before + after) / 2, server: [atSending, mostOf(instance.pid)] });
  } finally {
    await page.close();
    await Promise.all([bare.stop(), instance.stop()]);
    for (const used of [folder, profile]) rmSync(used, { recursive: true });
  }
}

function rows({ sent, saved, bare, server: [atSending, atLast] }) {
  const size = SIZE >= 1024 * MIB ? `${SIZE / 1024 / MIB} GiB` : `${SIZE / MIB} MiB`;
  const rate = (seconds) => SIZE / 1e6 / seconds;
  const mb = (bytes) => `${Math.round(bytes / 1e6)} MB`;
  const [sending, saving] = [rate(sent.seconds), rate(saved.seconds)];
  const ratio = bare / sent.seconds;
  return [
    {
      what: `A file of ${size}, sealed and sent: a second`,
      measured: mb(sending * 1e6),
      target: '≥ 80 MB',
      met: sending >= 80,
    },
    {
      what: `The same beside a bare PUT of as many bytes (${mb(rate(bare) * 1e6)})`,
      measured: ratio.toFixed(2),
      target: '≥ 0.6',
      met: ratio >= 0.6,
    },
    {
      what: 'The page meanwhile, over what it held at rest',
      measured: mb(sent.grown),
      target: '≤ 200 MB',
      met: sent.grown <= 200e6,
    },
    {
      what: 'The server at most, all of its memory, once it was sent',
      measured: mb(atSending),
      target: '≤ 120 MB',
      met: atSending <= 120e6,
    },
    {
      what: `The file of ${size}, fetched, opened and saved: a second`,
      measured: mb(saving * 1e6),
      target: '≥ 80 MB',
      met: saving >= 80,
    },
    {
      what: 'The page meanwhile, over what it held at rest',
      measured: mb(saved.grown),
      target: '≤ 200 MB',
      met: saved.grown <= 200e6,
    },
    {
      what: 'The server at most, once it was saved as well',
      measured: mb(atLast),
      target: '≤ 120 MB',
      met: atLast <= 120e6,
    },
  ];
}
