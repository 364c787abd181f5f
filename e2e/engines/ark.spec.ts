// Frozen Arks, the first and the newest, opened from a disk in Firefox and WebKitGTK. In Chromium it is told in e2e/ark.spec.ts.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { findFirefox, findWebKit } from '../../scripts/find-programs.mjs';
import { launchFirefox } from './firefox.ts';
import type { Engine, Tab } from './tab.ts';
import { launchWebKit } from './webkitgtk.ts';

const firefox = findFirefox();
const webkit = findWebKit();
const engines: { name: string; launch: (() => Promise<Engine>) | null }[] = [
  { name: 'Firefox', launch: firefox === null ? null : () => launchFirefox(firefox) },
  { name: 'WebKitGTK', launch: webkit === null ? null : () => launchWebKit(webkit) },
];

const vectors = new URL('../../src/ark/vectors/', import.meta.url);
const known = (ark: string) => JSON.parse(readFileSync(new URL(`${ark}.json`, vectors), 'utf8'));

const listed = (tab: Tab) =>
  tab.evaluate(`[...document.querySelectorAll('#list a')].map((link) => link.textContent)`);

/** Types into a field of the page, and sends its form. */
const send = (tab: Tab, id: string, text: string) =>
  tab.evaluate(`(() => {
    const field = document.getElementById('${id}');
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event('input'));
    field.form?.requestSubmit();
  })()`);

for (const { name, launch } of engines) {
  test.describe(name, () => {
    test.skip(launch === null, `${name} is not installed`);
    let engine: Engine | undefined;
    test.beforeAll(async () => {
      engine = await launch?.();
    });
    test.afterAll(() => engine?.close());

    for (const [ark, field] of [
      ['ark', 'words'],
      ['ark', 'passphrase'],
      ['ark-lines', 'words'],
    ] as const)
      test(`opens ${ark} from a disk with its ${field}, and searches`, async () => {
        test.setTimeout(180_000);
        const frozen = known(ark);
        const titles = frozen.contents.entries.map(({ title }: { title: string }) => title);
        const tab = await engine?.newTab();
        if (!tab) throw new Error('the engine has not started');
        await tab.open(pathToFileURL(new URL(`${ark}.html`, vectors).pathname).href);
        await send(tab, field, frozen[field]);
        await expect.poll(() => listed(tab), { timeout: 120_000 }).toEqual(titles);
        await send(tab, 'query', 'GLASSES soup');
        await expect.poll(() => listed(tab)).toEqual(['For Theo, on your eighteenth birthday']);
        expect(tab.said()).toEqual([]);
        await tab.close();
      });
  });
}
