// What an instance keeps for others. Its own address, to be compared by people; and the letter of another instance, for whoever was
// written to because that one's author was silent.
import { later } from '../../../ui/later.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

const Identity = later(() => import('./identity.tsx'), <Spinner screen />);
const KeptLetter = later(
  () => import('./kept-letter.tsx'),
  <Spinner screen label="Looking for the letter" />,
);

/** It stands in the place of a letter’s number, which has 22 characters. */
const OWN_ADDRESS = '/sisters/address';

export default function AtSister() {
  return window.location.pathname === OWN_ADDRESS ? <Identity /> : <KeptLetter />;
}
