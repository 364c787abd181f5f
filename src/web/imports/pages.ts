// The pages of HTML in one file, zip or folder: those of an application that is known, and else what any page says.
import { isAppleJournal, journalAssetId, journalPlaces, parseAppleJournal } from './formats/apple-journal.ts';
import { parsedJson } from './formats/known-json.ts';
import { isNotionPage, parseNotionPage } from './formats/notion-page.ts';
import { isTelegramPage, parseWebPage } from './formats/web-page.ts';
import { type LeftOutList, type ParsedEntry, Refused } from './imported-entry.ts';
import { parseMarkup } from './markup/parse-markup.ts';

interface Page {
  path: string;
  text: string;
}

export class Pages {
  readonly entries: ParsedEntry[] = [];
  private readonly leftOut: LeftOutList;
  /** Where a folder `Entries` lies beside `Resources`, as in Apple's exports. */
  private readonly hasEntries: boolean;
  private readonly places = new Map<string, readonly string[]>();
  private readonly sidecars: string[] = [];
  private readonly others: Page[] = [];
  private telegram = 0;

  constructor(files: readonly { path: string }[], leftOut: LeftOutList) {
    this.leftOut = leftOut;
    this.hasEntries = files.some(({ path }) => /(^|\/)Entries\/[^/]+\.html?$/i.test(path));
  }

  /** Whether a JSON only describes a picture or a place of these pages. */
  takesJson(path: string, text: string): boolean {
    const id = this.hasEntries ? journalAssetId(path) : null;
    if (id === null) return false;
    this.sidecars.push(path);
    this.places.set(id, journalPlaces(parsedJson(text)));
    return true;
  }

  /** What is told where nothing else is found. */
  get refusal(): Refused | null {
    return this.telegram > 0 ? new Refused('foreign', 'telegram-html') : null;
  }

  /** @throws Refused when a page has too many elements */
  add({ path, text }: Page): void {
    const page = parseMarkup(text);
    if (isAppleJournal(page)) this.entries.push(parseAppleJournal(path, page, this.places, this.leftOut));
    else if (isNotionPage(page)) this.entries.push(...parseNotionPage(path, page, this.leftOut));
    else if (isTelegramPage(page)) {
      this.telegram += 1;
      this.leftOut.add('other-file', path);
    } else this.others.push({ path, text });
  }

  /**
   * Everything that the pages say.
   * @param known whether an application was recognised that says all it has in files of another kind
   */
  finish(known: boolean): ParsedEntry[] {
    const ours = this.entries.length > 0;
    if (!this.entries.some(({ format }) => format === 'apple-journal'))
      for (const path of this.sidecars) this.leftOut.add('other-file', path);
    for (const { path, text } of this.others) {
      // Exports have a page that only lists the others.
      if (ours && /(^|\/)index\.html?$/i.test(path)) this.leftOut.add('copy', path);
      else if (ours || known || this.telegram > 0) this.leftOut.add('other-file', path);
      else
        this.entries.push(
          ...this.leftOut.attempt(path, () => [parseWebPage(path, parseMarkup(text), this.leftOut)]),
        );
    }
    return this.entries;
  }
}
