// Real object stores with Amazon's interface for tests of the store of files: OpenStack Swift, as Debian has it (python3-swift), in
// one process on a spare port, with its objects in a folder that goes with it; and any other that runs already and is named in
// the environment, such as Ceph's gateway (docs/operations.md).
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bucket } from '../server/adapters/s3-requests.ts';
import { createS3Requests } from '../server/adapters/s3-requests.ts';

/** Debian's Python: another one has not the packages of Debian. */
const PYTHON = '/usr/bin/python3';
const SWIFT = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api';
const PROGRAM = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** Swift keeps what it knows of an object in extended attributes of its file, of up to 64 KiB. */
const TRY_ATTRIBUTES = `
import sys, xattr
with open(sys.argv[1] + '/trial', 'w') as file: xattr.setxattr(file, 'user.swift.metadata', b'x' * 2000)`;

/** Why there is no such store on this machine, as a sentence; null where there is one. */
export function whyNoSwift(): string | null {
  if (!existsSync(SWIFT)) return 'OpenStack Swift is not installed (on Debian: python3-swift)';
  const folder = mkdtempSync(join(tmpdir(), 'latebra-attributes-'));
  try {
    const { status } = spawnSync(PYTHON, ['-c', TRY_ATTRIBUTES, folder]);
    return status === 0
      ? null
      : `${tmpdir()} takes no extended attributes, which Swift needs (name another folder in TMPDIR)`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface ObjectStore {
  /** Makes a new bucket. */
  makeBucket(): Promise<Bucket>;
  /** Files on its disk that hold objects or what is left of them; null where its disk cannot be looked at. */
  filesOnDisk: (() => string[]) | null;
  stop(): Promise<void>;
}

/** A store that somebody has started for this; null unless `TEST_S3_URL`, `TEST_S3_KEY_ID` and `TEST_S3_SECRET` name one. */
export function namedStore(): (() => Promise<ObjectStore>) | null {
  const { TEST_S3_URL: origin, TEST_S3_KEY_ID: id, TEST_S3_SECRET: secret } = process.env;
  if (!origin || !id || !secret) return null;
  const makeBucket = bucketsOf(origin, { id, secret, region: 'us-east-1' });
  return async () => ({ makeBucket, filesOnDisk: null, stop: async () => {} });
}

function bucketsOf(origin: string, key: Bucket['key']): ObjectStore['makeBucket'] {
  return async () => {
    const bucket = { url: new URL(`/files-${randomBytes(8).toString('hex')}`, origin), key };
    (await createS3Requests(bucket).ask({ method: 'PUT', path: '' })).resume();
    return bucket;
  };
}

const KEY = { id: 'latebra:owner', secret: 'known-to-this-store-alone', region: 'us-east-1' };

export async function startSwift(): Promise<ObjectStore> {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-swift-'));
  const child = spawn(PYTHON, [PROGRAM, folder, KEY.id, KEY.secret], { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    let [said, complained] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, port] = /ready (\d+)\n/.exec(said) ?? [];
      if (port) resolve(port);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
    child.once('exit', () => reject(new Error(`Swift did not start: ${complained}`)));
  });
  return {
    makeBucket: bucketsOf(`http://127.0.0.1:${port}`, KEY),
    filesOnDisk: () =>
      readdirSync(join(folder, 'devices', 'disk'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /^(?:objects|tmp)/.test(relativeTo(folder, entry.parentPath)))
        .map((entry) => join(entry.parentPath, entry.name)),
    async stop() {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const relativeTo = (folder: string, path: string) => path.slice(join(folder, 'devices', 'disk').length + 1);
