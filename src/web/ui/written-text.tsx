// A text that somebody wrote, set to be read: plain text, never interpreted as markup.
import { classes } from './classes.ts';
import { PARAGRAPH, RUNNING_TEXT, splitParagraphs, takesDropCapital } from './paragraphs.ts';

/** Paragraphs and line breaks as they were written, a drop capital where one can stand. */
export function WrittenText({ children }: { children: string }) {
  return (
    <div className={RUNNING_TEXT}>
      {splitParagraphs(children).map((paragraph, i) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other identity
          key={i}
          dir="auto"
          className={classes(PARAGRAPH, i === 0 && takesDropCapital(paragraph) && 'drop-capital')}
        >
          {paragraph}
        </p>
      ))}
    </div>
  );
}
