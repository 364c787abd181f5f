// Imports: what was written elsewhere moves in. A page of two parts: files, and live imports.
import { Chamber } from '../../shell/chamber.tsx';
import { FilesSection } from './files-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

export default function ImportsPage() {
  return (
    <Chamber
      title="Imports"
      lead="Bring in what you wrote elsewhere. Files are read and sealed in this browser; the server receives only ciphertext. It can tell how many memories arrive, how large they are, and when. Live imports work differently: see below."
    >
      <FilesSection />
      <WebhooksSection />
    </Chamber>
  );
}
