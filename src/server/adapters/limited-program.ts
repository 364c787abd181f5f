// Runs another program over bytes that somebody sent: in a cleared environment, with limits on its processor time, its
// memory and what it writes, and for as long as the caller waits. What it says of itself is thrown away.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Processor time that a program may use. It has one thread, so that this ends nothing that may still run. */
export const PROCESSOR_SECONDS = 240;

/**
 * Seconds of processor time, and KiB of address space. No file may grow and no core be dumped, because both would hold
 * what was sent. A system that lacks one of these limits goes without it. The arguments are handed over, never spelled out.
 */
const SHELL = `ulimit -t ${PROCESSOR_SECONDS}; ulimit -v 2097152; ulimit -f 0; ulimit -c 0; exec nice -n 10 "$@"`;

/** What a program reads as its input: the path by which it opens it, again from the beginning. */
export const INPUT = '/dev/fd/0';

/**
 * @param most it is ended when it says more than this, in bytes
 * @param signal ends it at once
 * @returns what it said, or null where it failed, was ended, or said too much
 */
export async function runLimited(
  program: string,
  args: readonly string[],
  input: Buffer,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<Buffer | null> {
  const file = await namelessFile(input);
  try {
    if (signal.aborted) return null;
    return await new Promise((resolve) => {
      const child = spawn('/bin/sh', ['-c', SHELL, 'sh', program, ...args], {
        cwd: '/',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
        stdio: [file.fd, 'pipe', 'ignore'],
        // A group of its own, so that what it starts is ended with it.
        detached: true,
      });
      const said: Buffer[] = [];
      let size = 0;
      const end = () => endGroup(child.pid);
      signal.addEventListener('abort', end, { once: true });
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= most) said.push(chunk);
        else end();
      });
      const finish = (code: number | null) => {
        signal.removeEventListener('abort', end);
        resolve(code === 0 && size <= most ? Buffer.concat(said, size) : null);
      };
      child.once('error', () => finish(null));
      child.once('close', finish);
    });
  } finally {
    await file.close();
  }
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** In memory where the system has a folder for that, so that nothing of it reaches a disk. */
const FOLDERS = ['/dev/shm', tmpdir()];

/**
 * A file that has lost its name before it holds anything: it is gone when it is closed, and when this process is killed.
 * It has to be a file, because some programs go back in what they read.
 */
async function namelessFile(bytes: Buffer): Promise<FileHandle> {
  let failure: unknown;
  for (const folder of FOLDERS) {
    const path = join(folder, `latebra-${randomBytes(16).toString('hex')}`);
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'wx+', 0o600);
      await unlink(path);
      await writeWhole(file, bytes);
      return file;
    } catch (error) {
      failure = error;
      await file?.close();
    }
  }
  throw failure;
}

/** At positions of its own, so that whoever gets the file reads it from the beginning. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
}
