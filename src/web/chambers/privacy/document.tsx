// What this server can see, for visitors: a document that is read without a script.
import { PublicDocument } from '../../ui/public-document.tsx';
import { PRIVACY_LEAD, PrivacyWords } from './words.tsx';

export const PrivacyDocument = () => (
  <PublicDocument title="Privacy" lead={PRIVACY_LEAD} other={{ label: 'Help', href: '/help' }}>
    <PrivacyWords />
  </PublicDocument>
);
