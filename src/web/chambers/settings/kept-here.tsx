// How much this browser keeps of the vault, and whether it has promised not to erase it by itself.
import { useEffect, useMemo, useState } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { KeptFile, KeptFiles } from '../../../vault/files/kept-pieces.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { toast } from '../../ui/toaster.tsx';
import { FILES_DATABASE } from '../../vault/device/databases.ts';
import { hasDatabase } from '../../vault/device/has-database.ts';
import { keptFilesOf } from '../../vault/device/kept-files.ts';
import { keepingOf } from '../../vault/files/keeping-of-vault.ts';
import { useVault } from '../../vault/session/vault-context.ts';

/** Files that are kept to be opened without a connection. */
interface FilesHere {
  ids: readonly string[];
  bytes: number;
}

/** What the browser says; null for what it does not. Sizes are in bytes, and rounded by the browser. */
interface KeptHere {
  used: number | null;
  room: number | null;
  isPromised: boolean | null;
  files: FilesHere;
}

async function findFiles(store: KeptFiles): Promise<FilesHere> {
  const isThere = await hasDatabase(FILES_DATABASE).catch(() => false);
  const files = isThere ? await store.list() : new Map<string, KeptFile>();
  return { ids: [...files.keys()], bytes: [...files.values()].reduce((all, { bytes }) => all + bytes, 0) };
}

async function look(store: KeptFiles): Promise<KeptHere> {
  const [estimate, isPromised, files] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => null),
    findFiles(store),
  ]);
  return {
    files,
    used: estimate?.usage ?? null,
    room: estimate?.quota ?? null,
    isPromised: isPromised ?? null,
  };
}

const PROMISES = {
  true: 'This browser has promised to keep it until you leave, or clear it yourself.',
  false:
    'This browser may erase it when its disk is full, and Safari after seven days without a visit. What is in your vault is fetched again; what waits to be sent would be lost.',
};

export function KeptHere() {
  const vault = useVault();
  const { keepsLists } = vault;
  const { id } = vault.user;
  const store = useMemo(() => keptFilesOf(id, keepsLists), [id, keepsLists]);
  const [kept, setKept] = useState<KeptHere | null>(null);
  useEffect(() => void look(store).then(setKept), [store]);
  if (kept === null || (kept.used === null && kept.isPromised === null)) return null;
  const { used, room, isPromised, files } = kept;

  async function removeFiles() {
    // What is being kept just now ends with it, and its entry says so.
    await keepingOf(vault).drop(files.ids.map((id) => ({ id })));
    setKept(await look(store));
  }

  async function ask() {
    const promised = await navigator.storage.persist().catch(() => false);
    setKept(await look(store));
    if (!promised)
      toast({
        title: 'Not promised',
        description: 'Browsers promise it to apps that are installed, or visited often.',
      });
  }

  return (
    <Section title="Kept in this browser" says="The app, and what it keeps of your vault, sealed.">
      {used !== null && (
        <p>
          {formatBytes(used)}
          {room !== null && ` of ${formatBytes(room)} that this browser would give it`}.
        </p>
      )}
      {files.ids.length > 0 && (
        <p>
          {files.ids.length === 1 ? 'One file opens' : `${files.ids.length} files open`} without a connection,{' '}
          {formatBytes(files.bytes)} of it.{' '}
          <Button tone="caps" onClick={() => void removeFiles()}>
            Remove {files.ids.length === 1 ? 'it' : 'them'} from this device
          </Button>
        </p>
      )}
      {isPromised !== null && <p>{PROMISES[`${isPromised}`]}</p>}
      {isPromised === false && (
        <div>
          <Button onClick={() => void ask()}>Ask it to keep it</Button>
        </div>
      )}
    </Section>
  );
}
