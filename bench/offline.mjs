// Without its server: how soon ten thousand memories are listed and found in a page that stands open, and in one that is opened anew
// on a device that keeps them. In Chromium, and in Firefox and WebKitGTK where those are installed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { installedEngines, launchChromium, loadEngineModule } from './engines.mjs';
import { median, newFolder, root, startProcess } from './instance.mjs';
import { fillWithMemories, MEMORIES } from './vault.mjs';

const ROUNDS = 3;
const NAME = 'Somebody on a mountain';
const PASSPHRASE = 'plum cake on a stone wall';
const AT_MOST = 1000;

/** A server whose address stays the same when it is started again. */
async function startAgain(dataDir, port = '0') {
  const quiet = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', QUOTA_ROWS: '10000000' };
  const started = await startProcess(join(root, 'dist', 'server', 'main.js'), { PORT: port, ...quiet });
  return { ...started, port: new URL(started.url).port };
}

async function makeVault(visitor) {
  await visitor.press('First time here');
  await visitor.press('Begin with a name and a passphrase');
  await visitor.fill({ role: 'textbox', name: 'Name' }, NAME);
  await visitor.fill({ label: 'Passphrase' }, PASSPHRASE);
  await visitor.fill({ label: 'Repeat passphrase' }, PASSPHRASE);
  await visitor.sees({ role: 'main' }, 'Hard to guess.');
  await visitor.press('Make the vault');
  for (const [label, button] of [
    ['What are you hiding?', 'Continue'],
    ['Who do you trust?', 'Continue'],
    ['What would you burn to keep it safe?', 'Enter the Vault'],
  ]) {
    await visitor.fill({ label }, 'An answer');
    await visitor.press(button);
  }
  await visitor.seesHeading('The chambers');
}

async function enter(visitor) {
  await visitor.press(/^(A|Enter with a) name and a passphrase$/);
  await visitor.fill({ role: 'textbox', name: 'Name' }, NAME);
  await visitor.fill({ label: 'Passphrase' }, PASSPHRASE);
  await visitor.press('Enter');
  await visitor.press('Mine alone');
  await visitor.press('That is right');
}

/** Waits in the page until all are listed and a search has found; answers both times, from where `began` is. */
const timed = (begin) => `(async () => {
  ${begin}
  const field = () => document.querySelector('input[type=search]');
  const until = async (test) => {
    while (!test()) await new Promise((resolve) => requestAnimationFrame(resolve));
  };
  await until(() => field()?.placeholder === 'Search ${MEMORIES.toLocaleString('en-GB')} memories, in this browser only');
  const listed = performance.now() - began;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field(), 'harbour 77');
  field().dispatchEvent(new Event('input', { bubbles: true }));
  await until(() => /found/.test(document.querySelector('search')?.textContent ?? ''));
  return { listed, found: performance.now() - began };
})()`;

const PRESS_THE_DOOR = `const began = performance.now();
  document.querySelector('main a[href="/memory-vault"]').click();`;
const SINCE_THE_ADDRESS = 'const began = 0;';

/** What one engine takes, in milliseconds. The server is there again when it returns. */
async function roundsOf(launch, servers) {
  const { Visitor } = await loadEngineModule('visitor.ts');
  const engine = await launch();
  const tab = await engine.newTab();
  const visitor = new Visitor(tab);
  await tab.open(`${servers.url}/enter`);
  await enter(visitor);
  await visitor.seesHeading('The chambers');
  await tab.evaluate(timed(PRESS_THE_DOOR));
  const keptAfter = await visitor.tab.evaluate(UNTIL_KEPT);
  await servers.kill();
  const open = [];
  const anew = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await tab.evaluate('history.back()');
    await visitor.seesHeading('The chambers');
    open.push(await tab.evaluate(timed(PRESS_THE_DOOR)));
    if (!keptAfter) continue;
    await tab.reload();
    anew.push(await tab.evaluate(timed(SINCE_THE_ADDRESS)));
  }
  await engine.close();
  await servers.start();
  return { open, anew };
}

/** Waits until the device keeps the app, whose document comes last, and the list; false where an engine keeps nothing. */
const UNTIL_KEPT = `(async () => {
  const kept = () => new Promise((resolve) => {
    const opening = indexedDB.open('latebra-lists');
    opening.onerror = () => resolve(0);
    opening.onsuccess = () => {
      const { result } = opening;
      if (!result.objectStoreNames.contains('blocks')) return resolve(0);
      const counting = result.transaction('blocks').objectStore('blocks').count();
      counting.onsuccess = () => {
        result.close();
        resolve(counting.result);
      };
    };
  });
  // Blocks are written one after another: all are there once no more come.
  for (let tries = 0, before = 0; tries < 60; tries += 1) {
    const now = await kept();
    if (navigator.serviceWorker?.controller && (await caches.match('/')) && now > 0 && now === before) return true;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return false;
})()`;

export async function measureOffline() {
  const dataDir = newFolder();
  let server = await startAgain(dataDir);
  const { url, port } = server;
  const servers = {
    url,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
    },
    async start() {
      server = await startAgain(dataDir, port);
    },
  };
  const { Visitor } = await loadEngineModule('visitor.ts');
  const chromium = await launchChromium();
  const tab = await chromium.newTab();
  await tab.open(`${url}/enter`);
  await makeVault(new Visitor(tab));
  await fillWithMemories(tab.page, url);
  await chromium.close();
  const rows = [];
  for (const [name, launch] of installedEngines()) {
    const { open, anew } = await roundsOf(launch, servers);
    rows.push(
      rowOf(
        `${name}, the server killed: 10,000 memories from the press to the list, and to what a search finds`,
        open,
      ),
    );
    if (anew.length > 0)
      rows.push(
        rowOf(`${name}, the server killed: the same from the address of a page that is opened anew`, anew),
      );
  }
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  return rows;
}

function rowOf(what, rounds) {
  const listed = median(rounds.map((round) => round.listed));
  const found = median(rounds.map((round) => round.found));
  return {
    what,
    measured: `${Math.round(listed)} and ${Math.round(found)} ms`,
    target: `≤ ${AT_MOST} ms`,
    met: found <= AT_MOST,
  };
}
