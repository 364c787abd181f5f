// What is wrong with the book itself, what may be behind it, and how to go on with what the server has.
import { useState } from 'react';
import type { ChainFinding } from '../../../crypto/book.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { chainCauses, chainWords } from '../../vault/book/finding-words.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import type { Book } from './use-book.ts';

export function ChainFound({ finding }: { finding: ChainFinding }) {
  const [harmless, lie] = chainCauses[finding.kind];
  return (
    <Section
      title="What was found"
      says="Single entries are not compared until this has an answer. You can go on reading and writing: what you write is kept, without an entry of the book."
    >
      <p className="border-l-4 border-blood pl-4 font-display text-lead font-medium">{chainWords(finding)}</p>
      <div className="grid gap-3 text-dust">
        <p>{harmless}</p>
        <p>{lie}</p>
      </div>
    </Section>
  );
}

/** The way on, after what this page still has. */
export function AcceptAsShown({ book }: { book: Book }) {
  const [asked, setAsked] = useState(false);
  return (
    <Section title="The way on" says="Look at your other devices before, and export what they still have.">
      <p className="text-dust">
        Once you know the reason, this browser can begin again with what the server has now. Write again first
        what is left of the rest.
      </p>
      <div>
        <Button onClick={() => setAsked(true)}>Accept what the server has now</Button>
      </div>
      {asked && (
        <AcceptDialog
          title="Accept what the server has now?"
          description="This browser then takes what the server shows for what there is. What is missing stays missing, and nobody looks for it any more. The book says that you accepted it, when and on which device, and your other devices show that."
          accept={book.acceptAsShown}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}
