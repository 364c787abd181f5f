// How the server is started on this machine, as far as files tell: by a unit of systemd, in the container of our image, or
// by hand. Nothing is run for it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Way =
  | { kind: 'npm' }
  | { kind: 'container' }
  | {
      kind: 'service';
      /** As `systemctl` takes it. */
      name: string;
      /** Who it runs as; null where its unit does not say. */
      user: string | null;
      /** The file of its settings; null where its unit names none. */
      settings: string | null;
    };

/** The places of a machine that are looked at. */
export interface Places {
  unitFolders: string[];
  /** Files that a container has. */
  containerMarks: string[];
  /** Where our image has the program. */
  imageDir: string;
}

const PLACES: Places = {
  unitFolders: [
    '/etc/systemd/system',
    '/run/systemd/system',
    '/usr/local/lib/systemd/system',
    '/usr/lib/systemd/system',
    '/lib/systemd/system',
  ],
  containerMarks: ['/.dockerenv', '/run/.containerenv'],
  imageDir: '/app',
};

/** @param programDir the folder of package.json */
export function findWay(programDir: string, places: Places = PLACES): Way {
  // A clone that somebody runs in a container of their own is started by hand there.
  if (programDir === places.imageDir && places.containerMarks.some((mark) => existsSync(mark))) {
    return { kind: 'container' };
  }
  for (const folder of places.unitFolders) {
    for (const name of namesIn(folder).filter((file) => /^[\w@.-]+\.service$/.test(file))) {
      const unit = readUnit(join(folder, name));
      if (!unit || !startsUs(unit, programDir)) continue;
      const user = /^[\w.-]+$/.exec(unit('User') ?? '')?.[0] ?? null;
      const settings = unit('EnvironmentFile')?.replace(/^-/, '') || null;
      return { kind: 'service', name: name.replace(/\.service$/, ''), user, settings };
    }
  }
  return { kind: 'npm' };
}

type Unit = (key: string) => string | undefined;

function readUnit(path: string): Unit | null {
  try {
    const text = readFileSync(path, 'utf8');
    return (key) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim();
  } catch {
    return null;
  }
}

function startsUs(unit: Unit, programDir: string): boolean {
  const started = unit('ExecStart') ?? '';
  if (started.includes(`${programDir}/`)) return true;
  return started !== '' && resolve(unit('WorkingDirectory') || '/') === programDir;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
