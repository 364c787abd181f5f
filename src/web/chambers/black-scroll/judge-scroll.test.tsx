// Every byte of what is checked by itself alone counts, and what is named is what was changed.
import { readSignature } from 'openpgp';
import { expect, test } from 'vitest';
import { type ScrollFileName, scrollFiles } from '../../../shared/nouns/game.ts';
import { scrollText } from '../../../shared/scroll-text.ts';
import { DAY } from '../../../shared/time.ts';
import { anInstance } from '../../testing/instance.ts';
import { judgeScroll, type ScrollFiles } from './judge-scroll.ts';

const instance = anInstance();
const { text, scroll, signature, manifest, publicKey } = scrollFiles;

async function served(of = instance()): Promise<ScrollFiles> {
  const fetched = Object.values(scrollFiles).map(async (name) => {
    const response = await of.request('GET', `/api/black-scroll/${name}`);
    return [name, new Uint8Array(await response.arrayBuffer())] as const;
  });
  return Object.fromEntries(await Promise.all(fetched)) as Record<ScrollFileName, Uint8Array<ArrayBuffer>>;
}

const now = () => new Date(instance().clock.now());
const judge = (files: ScrollFiles) => judgeScroll(files, scrollText(), now());
const changed = (bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)) as Uint8Array<ArrayBuffer>;
const broken = (...files: ScrollFileName[]) => ({ verdict: 'broken', files, pageDiffers: false });
const replaced = (files: ScrollFiles, name: ScrollFileName, from: string, to: string): ScrollFiles => ({
  ...files,
  [name]: new TextEncoder().encode(new TextDecoder().decode(files[name]).replace(from, to)),
});

test('what is served is good, by any clock', async () => {
  const files = await served();
  for (const days of [-4000, 0, 4000]) {
    const judged = await judgeScroll(files, scrollText(), new Date(now().getTime() + days * DAY));
    expect(judged).toMatchObject({ verdict: 'good', fingerprint: expect.stringMatching(/^[0-9A-F]{40}$/) });
  }
});

test('each byte of the manifest counts, also those that no signature covers', async () => {
  const files = await served();
  for (const at of files[manifest].keys()) {
    const judged = await judge({ ...files, [manifest]: changed(files[manifest], at) });
    expect(judged, `byte ${at}`).toEqual(broken(manifest));
  }
});

test.each([text, scroll, signature, publicKey])('bytes all over %s count', async (name) => {
  const files = await served();
  for (let at = 0; at < files[name].length; at += 1 + Math.floor(files[name].length / 60)) {
    const judged = await judge({ ...files, [name]: changed(files[name], at) });
    expect(judged, `byte ${at}`).toEqual(broken(name));
  }
});

test('what was added at an end counts', async () => {
  const files = await served();
  for (const name of Object.values(scrollFiles)) {
    const longer = new Uint8Array([...files[name], 10]);
    expect(await judge({ ...files, [name]: longer }), name).toEqual(broken(name));
  }
});

test('a field that nobody has signed, put beside the signed ones, counts', async () => {
  const files = await served();
  const clear = new TextDecoder().decode(files[manifest]);
  const at = clear.lastIndexOf('-----BEGIN PGP SIGNATURE-----');
  const own = await readSignature({ armoredSignature: clear.slice(at) });
  const written = () => new TextEncoder().encode(clear.slice(0, at) + own.armor().replaceAll('\r\n', '\n'));
  expect(await judge({ ...files, [manifest]: written() })).toMatchObject({ verdict: 'good' });
  // A notation of the name "n" and the value "v".
  const body = new Uint8Array([0x80, 0, 0, 0, 0, 1, 0, 1, 0x6e, 0x76]);
  own.packets[0]?.unhashedSubpackets.push({ type: 20, critical: false, body });
  expect(await judge({ ...files, [manifest]: written() })).toEqual(broken(manifest));
});

test('without a manifest that holds, the signatures name what they find', async () => {
  const whole = await served();
  const files = replaced(whole, manifest, 'BLACK', 'BLANK');
  expect(await judge(replaced(files, text, 'Fire', 'Fine'))).toEqual(broken(manifest, text));
  expect(await judge(replaced(files, scroll, 'Fire', 'Fine'))).toEqual(broken(manifest, scroll));
  expect(await judge({ ...files, [signature]: changed(files[signature], 150) })).toEqual(
    broken(manifest, signature),
  );
});

test('a page that says something else is told of, also where a file is broken', async () => {
  const files = await served();
  const other = scrollText().replace('Fire', 'Fine');
  const pageDiffers = true;
  const judged = (of: ScrollFiles) => judgeScroll(of, other, now());
  expect(await judged(files)).toEqual({ verdict: 'broken', files: [], pageDiffers });
  expect(await judged(replaced(files, scroll, 'Fire', 'Fine'))).toEqual({
    verdict: 'broken',
    files: [scroll],
    pageDiffers,
  });
});

test('files that somebody else has signed do not pass under this key', async () => {
  const files = await served();
  const { publicKey: other } = await (await import('openpgp')).generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name: 'Latebra' }],
    date: now(),
    format: 'armored',
  });
  expect(await judge({ ...files, [publicKey]: new TextEncoder().encode(other) })).toEqual(broken(publicKey));
});
