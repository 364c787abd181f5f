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

/** Puts it into the line that is drawn first, with the caret where it was. */
export function putEarlyWords(line: HTMLTextAreaElement | null): void {
  if (!line || !early) return;
  const { words, from, to, hasFocus } = early;
  early = null;
  line.value = words;
  if (hasFocus) line.focus();
  line.setSelectionRange(from, to);
}
