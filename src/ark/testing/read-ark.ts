// Opens an Ark as its own reader does, for tests.
import { openArk, readHead } from '../reader/ark.js';

/** What stands in one. Another project does not see the types of the reader's own comments. */
interface Contents {
  entries: { kind: string; title: string; text: string; facts: string[]; tags: string[] }[];
  leftOut: string[];
}

/** @param page the text of its file @param key what its words are */
export async function readArk(page: string, key: Uint8Array): Promise<Contents> {
  const part = (id: string) =>
    new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
  const wrap = readHead(part('head')).wraps.find(({ kind }) => kind === 'words');
  if (!wrap) throw new Error('The words do not open it.');
  return openArk(part('head'), part('pieces'), wrap, key);
}
