// Opens an Ark as its own reader does, for tests.
import { openArk, readHead } from '../reader/ark.js';

/** What stands in one. Another project does not see the types of the reader's own comments. */
interface Contents {
  entries: { kind: string; title: string; text: string; facts: string[]; tags: string[] }[];
  leftOut: string[];
}

/** @param page the text of its file @param secret of one way to open it: what its words are, or what the sheets of a kit give */
export async function readArk(page: string, secret: Uint8Array, kind = 'words'): Promise<Contents> {
  const part = (id: string) =>
    new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
  const wrap = readHead(part('head')).wraps.find((one) => one.kind === kind);
  if (!wrap) throw new Error(`It does not open with ${kind}.`);
  return openArk(part('head'), part('pieces'), wrap, secret);
}
