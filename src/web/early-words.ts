// What was typed into the line of the document before the app had come (chambers/dashboard/document.tsx): the app's own line goes on with it.

interface EarlyWords {
  words: string;
  from: number;
  to: number;
  hasFocus: boolean;
}

let early: EarlyWords | null = null;

const lineOfDocument = () => document.querySelector<HTMLTextAreaElement>('#root textarea');

/** Whether the document shows the desk. */
export const isDeskShown = (): boolean => lineOfDocument() !== null;

/** Keeps it, at the moment at which the app takes the document's place. */
export function keepEarlyWords(): void {
  const line = lineOfDocument();
  const hasFocus = line !== null && line === document.activeElement;
  if (!line || (!hasFocus && line.value === '')) return;
  early = { words: line.value, from: line.selectionStart, to: line.selectionEnd, hasFocus };
}

/** What was kept; null from then on. */
export function takeEarlyWords(): EarlyWords | null {
  const taken = early;
  early = null;
  return taken;
}

/** Puts it into the line that is drawn first, with the caret where it was. */
export function putEarlyWords(line: HTMLTextAreaElement | null): void {
  const taken = line && takeEarlyWords();
  if (!taken) return;
  const { words, from, to, hasFocus } = taken;
  line.value = words;
  if (hasFocus) line.focus();
  line.setSelectionRange(from, to);
}
