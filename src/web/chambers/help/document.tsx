// The guide for visitors: a document that is read without a script.
import { PublicDocument } from '../../ui/public-document.tsx';
import { GUIDE_LEAD, Guide } from './guide.tsx';

export const HelpDocument = () => (
  <PublicDocument title="Help" lead={GUIDE_LEAD} other={{ label: 'Privacy', href: '/privacy' }}>
    <Guide />
  </PublicDocument>
);
