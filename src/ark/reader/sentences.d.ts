// What the reader says, in English: its catalogues have all of it.
import type german from '../languages/german.json';

export type Sentence = keyof typeof german;

declare global {
  /** By their codes (BCP 47): they stand in a script of their own (src/ark/template.ts). */
  const CATALOGUES: Record<string, import('./language.js').Catalogue>;
}
