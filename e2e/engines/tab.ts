// What an engine must be able to do for the journeys. It is little on purpose: whatever can be done inside the page is done
// there, by one script for every engine (sight.ts), so that no engine is asked in its own way.

/** A key that types no text. */
export type Key = 'ArrowDown' | 'ArrowUp';

/** One tab in a browser of its own: it shares no cookie and no storage with any other. */
export interface Tab {
  /** Resolves once the document has loaded, not when the app has drawn itself. */
  open(url: string): Promise<void>;
  /** As `open`. A page that asks whether to leave it is left. */
  reload(): Promise<void>;
  /** The value of an expression, or of its promise, which can be written as JSON. @throws while the page is being replaced by another */
  evaluate(expression: string): Promise<unknown>;
  /** Presses the primary button at a place, in CSS pixels from the upper left corner of what is shown. */
  click(x: number, y: number): Promise<void>;
  /** Types into whatever has the focus, as trusted key strokes. A line break is Enter. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** What is shown now, as a PNG. */
  screenshot(): Promise<Uint8Array>;
  /** The errors and warnings of the console so far, where the engine tells them. */
  said(): string[];
  close(): Promise<void>;
}

/** A running browser engine. */
export interface Engine {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export const VIEWPORT = { width: 1280, height: 900 };
