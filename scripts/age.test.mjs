// What is exported opens without us: the stock `age` tool opens the archive, and what it seals opens here. It asks for
// passphrases at a terminal and nowhere else, so `script` gives it one.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { buildArchive, openBytes, readBytes, sealBytes } from '../src/crypto/testing/archives.ts';
import { generateVaultKey } from '../src/crypto/vault-key.ts';
import { findAge } from './find-programs.mjs';

// Stretching takes its time, and more of it on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const PASSPHRASE = 'plum cake on a stone wall';
const folder = mkdtempSync(join(tmpdir(), 'latebra-age-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs age with some of these files at a terminal where `lines` are typed. */
function age(args, files, ...lines) {
  const names = Object.keys(files).map((name) => `"$${name}"`);
  const command = ['exec "$AGE"', ...args, ...names].join(' ');
  // Linux and the BSDs disagree on how `script` is told what to run.
  const typescript =
    process.platform === 'linux' ? ['-qec', command, '/dev/null'] : ['-q', '/dev/null', 'sh', '-c', command];
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, SHELL: '/bin/sh', AGE: findAge(), ...files };
    const child = execFile('script', typescript, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
    child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  });
}

describe.skipIf(!findAge())('the stock age tool', () => {
  const files = { 'memories/The well.md': new TextEncoder().encode('It was never dry.') };

  test('opens an archive, and refuses another passphrase', async () => {
    const meta = { createdAt: '2026-01-13T09:30:00.000Z', origin: 'https://vault.example' };
    const zip = await buildArchive(files, generateVaultKey(), meta);
    const [IN, OUT] = [join(folder, 'vault.age'), join(folder, 'vault.zip')];
    writeFileSync(IN, await sealBytes(zip, PASSPHRASE, 14));

    const refused = await age(['--decrypt', '--output'], { OUT, IN }, 'plum cake on a stone walk');
    expect(refused.code).not.toBe(0);
    expect(refused.said).toContain('incorrect passphrase');

    expect(await age(['--decrypt', '--output'], { OUT, IN }, PASSPHRASE)).toMatchObject({ code: 0 });
    const opened = new Uint8Array(readFileSync(OUT));
    expect(opened).toEqual(zip);
    expect((await readBytes(opened)).files).toEqual(files);
  });

  test('seals what opens here', async () => {
    const [IN, OUT] = [join(folder, 'plain'), join(folder, 'sealed.age')];
    const bytes = new Uint8Array(200_000).map((_, i) => i * 31);
    writeFileSync(IN, bytes);
    const typed = [PASSPHRASE, PASSPHRASE];
    expect(await age(['--passphrase', '--output'], { OUT, IN }, ...typed)).toMatchObject({ code: 0 });
    expect(await openBytes(new Uint8Array(readFileSync(OUT)), PASSPHRASE)).toEqual(bytes);
  });
});
