// The one list of what texts are, by what they say and how their files are called. Pure.
import type { LeftOutList } from '../imported-entry.ts';
import { isDayOneText, parseDayOneText } from './day-one-text.ts';
import { isJrnlText, parseJrnlText } from './jrnl.ts';
import type { Found } from './known-json.ts';
import { parseMarkdown } from './markdown.ts';
import { notionId, parseNotion } from './notion.ts';
import { parsePlainText } from './plain-text.ts';
import { isTomboy, parseTomboy } from './tomboy.ts';
import { isWhatsApp, parseWhatsApp } from './whatsapp.ts';

interface TextFile {
  path: string;
  /** The name of the zip around it. */
  zip: string | null;
  leftOut: LeftOutList;
}

interface TextFormat {
  is: (text: string, path: string) => boolean;
  parse: (text: string, file: TextFile) => Found;
}

const isMarkdown = (path: string) => /\.(md|markdown)$/i.test(path);

/** The first that knows it counts; the last knows everything. */
const textFormats: readonly TextFormat[] = [
  { is: isTomboy, parse: (text, { path, leftOut }) => ({ entries: parseTomboy(path, text, leftOut) }) },
  {
    is: (text, path) => !isMarkdown(path) && isJrnlText(text),
    parse: (text) => ({ entries: parseJrnlText(text) }),
  },
  {
    is: isDayOneText,
    parse: (text, { path, leftOut }) => ({ entries: parseDayOneText(path, text, leftOut) }),
  },
  {
    is: (text, path) => !isMarkdown(path) && isWhatsApp(text),
    parse: (text, { path, zip, leftOut }) => ({ chats: [parseWhatsApp(text, path, zip, leftOut)] }),
  },
  {
    is: (_, path) => isMarkdown(path) && notionId(path) !== null,
    parse: (text, { path, leftOut }) => ({ entries: [parseNotion(path, text, leftOut)] }),
  },
  {
    is: (_, path) => isMarkdown(path),
    parse: (text, { path, leftOut }) => ({ entries: [parseMarkdown(path, text, leftOut)] }),
  },
  { is: () => true, parse: (text, { path }) => ({ entries: [parsePlainText(path, text)] }) },
];

/** What a text that is no JSON says. The texts beside it are texts of their own. */
export function readText(text: string, file: TextFile): Found {
  const found = textFormats.find(({ is }) => is(text, file.path))?.parse(text, file) ?? {};
  return { ...found, isOneOfMany: true };
}
