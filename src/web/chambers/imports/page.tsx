// Imports: what was written elsewhere moves in. A page of two parts: files, and, once there are any, live imports.
import { Chamber } from '../../vault/session/chamber.tsx';
import { FilesSection } from './files-section.tsx';

export default function ImportsPage() {
  return (
    <Chamber
      title="Imports"
      lead="What you wrote elsewhere moves in. Files are read and sealed in this browser; the server receives only ciphertext. It can tell how many memories arrive, how large they are, and when."
    >
      <FilesSection />
      {/* Live imports: its own section, in a file of its own (webhooks-section.tsx). */}
    </Chamber>
  );
}
