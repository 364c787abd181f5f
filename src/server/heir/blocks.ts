// What a printed page is made of. as-text.ts and as-html.ts print the same blocks.

/** Something to do, and what is typed for it, a command a line. */
export interface Step {
  text: string;
  commands?: string[];
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'subheading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'commands'; commands: string[] }
  | { kind: 'list'; items: string[] }
  /** To be ticked by hand. */
  | { kind: 'checks'; items: string[] }
  /** In this order. */
  | { kind: 'steps'; steps: Step[] }
  | { kind: 'pairs'; pairs: [label: string, value: string][] }
  /** Lines to be filled in by hand. */
  | { kind: 'blanks'; labels: string[] }
  /** What somebody else has written, in their own lines. */
  | { kind: 'note'; text: string };

export interface Page {
  title: string;
  /** Below the title: when it was made. */
  made: string;
  blocks: Block[];
}

export type Section = [heading: string, blocks: Block[]];
