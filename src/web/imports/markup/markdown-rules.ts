// What those who turn HTML into Markdown agree on: blocks, lines, and an application's own elements.
import type { MarkupElement, MarkupNode } from './parse-markup.ts';

/** What an application writes in its own way. */
export interface MarkdownRules {
  /**
   * What stands for an element.
   * @returns undefined leaves it to the rules of HTML; a block stands by itself
   */
  special?: (element: MarkupElement, walk: Walk) => string | Block | undefined;
  /** Told of each picture, recording or document that is named in the text. @param source its address, where it has one */
  onMedia: (name: string, source?: string) => void;
}

/** A part of a text that stands by itself. */
export interface Block {
  text: string;
  /** A line among lines, without an empty one around it. */
  line?: boolean;
  list?: boolean;
}

export interface Walk {
  inline(nodes: readonly MarkupNode[]): string;
  blocks(nodes: readonly MarkupNode[], inItem?: boolean): string;
}
