// The programs of other people that read OpenPGP: GnuPG with an empty keyring of its own, and Sequoia.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a program did. */
export interface Ran {
  /** 0 when it was content. */
  code: number;
  out: string;
  /** What it said about it. */
  said: string;
}

export interface OpenPgpPrograms {
  /** A folder in which files can be put, and in which the programs run. */
  put(name: string, content: string | Uint8Array): void;
  gpg(...args: string[]): Promise<Ran>;
  /** Decrypts a file under a passphrase. */
  gpgOpen(name: string, passphrase: string): Promise<Ran>;
  /** Verifies a signature beside its file, or one that is in its file. */
  sqVerify(key: string, name: string, signature?: string): Promise<Ran>;
  /** Decrypts a file under a passphrase, which it reads from a terminal, and verifies the signature inside. */
  sqOpen(key: string, name: string, passphrase: string): Promise<Ran>;
  /** Any program, such as `sha256sum`. */
  run(program: string, ...args: string[]): Promise<Ran>;
  remove(): Promise<void>;
}

export const hasOpenPgpPrograms = ['gpg', 'sq'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

export async function openPgpPrograms(): Promise<OpenPgpPrograms> {
  // A socket is made in it, whose path may not be long.
  const folder = mkdtempSync(join(tmpdir(), 'lat-pgp-'));
  const env = { PATH: process.env.PATH ?? '', GNUPGHOME: folder, HOME: folder, LC_ALL: 'C.UTF-8' };
  const run = (program: string, ...args: string[]) =>
    new Promise<Ran>((resolve) => {
      execFile(program, args, { cwd: folder, env }, (error, out, said) =>
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, out, said }),
      );
    });
  const gpg = (...args: string[]) => run('gpg', '--batch', ...args);
  const sq = (...args: string[]) => run('sq', ...args);
  // The first stable version renamed what it is asked by.
  const isOldSq = /^sq 0\./.test((await sq('--version')).out);
  return {
    put: (name, content) => writeFileSync(join(folder, name), content),
    gpg,
    gpgOpen: (name, passphrase) =>
      gpg('--pinentry-mode', 'loopback', '--passphrase', passphrase, '--decrypt', name),
    sqVerify: (key, name, signature) => {
      if (isOldSq) {
        const detached = signature ? ['--detached', signature] : [];
        return sq('verify', '--signer-cert', key, ...detached, name);
      }
      const how = signature ? ['--signature-file', signature] : ['--cleartext'];
      return sq('verify', '--signer-file', key, ...how, name);
    },
    async sqOpen(key, name, passphrase) {
      const command = `exec sq decrypt ${isOldSq ? '--signer-cert' : '--signer-file'} ${key} --output opened ${name}`;
      // Linux and the BSDs disagree on how `script` is told what to run.
      const typescript =
        process.platform === 'linux'
          ? ['-qec', command, '/dev/null']
          : ['-q', '/dev/null', 'sh', '-c', command];
      rmSync(join(folder, 'opened'), { force: true });
      const ran = await run(
        'sh',
        '-c',
        'typed=$1; shift; printf "%s\\n" "$typed" | script "$@"',
        'sh',
        passphrase,
        ...typescript,
      );
      return {
        ...ran,
        said: ran.out,
        out: ran.code === 0 ? readFileSync(join(folder, 'opened'), 'utf8') : '',
      };
    },
    run,
    async remove() {
      await run('gpgconf', '--kill', 'all');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
