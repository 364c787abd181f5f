// Frozen Arks, the first and the newest, and the newest with the reader of today, opened from a disk in Firefox and WebKitGTK. In Chromium it is told in e2e/ark.spec.ts.
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { findFirefox, findWebKit } from '../../scripts/find-programs.mjs';
import { knownArk, todaysArk } from '../todays-ark.ts';
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
        const frozen = knownArk(ark);
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

    test('opens one with the reader of today, which speaks German, French and English', async () => {
      test.setTimeout(180_000);
      const { words, contents } = knownArk('ark-lines');
      const path = await todaysArk('ark-lines', test.info().outputPath());
      const tab = await engine?.newTab();
      if (!tab) throw new Error('the engine has not started');
      await tab.open(pathToFileURL(path).href);
      const speak = (code: string) =>
        tab.evaluate(`(() => {
          const field = document.getElementById('language');
          field.value = '${code}';
          field.dispatchEvent(new Event('change'));
          return document.title;
        })()`);
      expect(await speak('de')).toBe('Die Arche: ein versiegelter Tresor');
      await send(tab, 'words', words);
      await expect.poll(() => listed(tab)).toHaveLength(contents.entries.length);
      expect(await speak('fr')).toBe('L’Arche\u00a0: un coffre scellé');
      await expect
        .poll(() => tab.evaluate(`document.getElementById('as-of').textContent`))
        .toMatch(/écrits, le plus récent du \d/);
      await speak('en');
      await send(tab, 'query', 'GLASSES soup');
      await expect.poll(() => listed(tab)).toEqual(['For Theo, on your eighteenth birthday']);
      expect(tab.said()).toEqual([]);
      await tab.close();
    });
  });
}
