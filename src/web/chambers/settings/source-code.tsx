// The licence gives everybody who uses this server a right to its source.
import { publicDocuments } from '../../../shared/addresses.ts';
import { SOURCE_PATH } from '../../../shared/screens.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

export function SourceCode() {
  return (
    <Section
      title="Source code"
      says="Latebra is free software under the AGPL-3.0. You may get the source code of the version that this server runs, read it, and run your own."
    >
      <div className="flex flex-wrap gap-4">
        <ButtonLink href={SOURCE_PATH}>Get the source code</ButtonLink>
        <ButtonLink href={publicDocuments.privacy} target="_blank">
          What this server can see
        </ButtonLink>
        <ButtonLink href={publicDocuments.help} target="_blank">
          Help
        </ButtonLink>
      </div>
    </Section>
  );
}
