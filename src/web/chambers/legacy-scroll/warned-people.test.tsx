// Who is warned, below the browser: the author's second address, and the contact whom they trust.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../../shared/time.ts';
import { ageAccount } from '../../../testing/people.ts';
import {
  lastMessage,
  postponePath,
  press as pressLink,
  proveWarningAddress,
} from '../../../testing/scrolls.ts';
import { aTransport } from '../../../testing/switch.ts';
import { openScrolls } from '../../testing/authoring.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { asPerson, enterAsMember } from '../../testing/member.ts';
import { leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { expectNoDialog, expectToast, fill, press } from '../../testing/steps.ts';

const mail = aTransport();
const texts = aTransport();
const watched = anInstanceOnWatch({ deps: { transports: { email: mail, sms: texts } } });
const instance = () => watched().instance;

async function anAuthor() {
  const author = await enterAsMember(instance());
  const person = asPerson(instance(), author);
  await ageAccount(instance(), person);
  await proveWarningAddress(instance(), person, 'author@example.org');
  return author;
}
/** What the list says of the only scroll. */
const rowText = () => within(screen.getByRole('main')).getByRole('article').textContent;

test('a second address is offered once the first is confirmed, asked, confirmed, changed to a telephone and removed', async () => {
  const bare = await enterAsMember(instance());
  await openScrolls(bare.browser);
  await screen.findByRole('button', { name: 'Set a warning address' });
  expect(screen.queryByRole('button', { name: /second address/ })).toBeNull();

  const { browser } = await anAuthor();
  await openScrolls(browser);
  await press(browser, 'Add a second address or a phone number');
  await press(browser, 'Send confirmation link there');
  await screen.findByText('This is not an e-mail address.');
  await fill(browser, screen.getByLabelText('Second warning address'), 'other@example.org');
  await press(browser, 'Send confirmation link there');
  await screen.findByText(/^A confirmation link is on its way by mail\./);
  await pressLink(instance(), await lastMessage(instance(), 'prove-address'));
  await press(browser, 'Look again');
  await waitFor(() => expect(screen.getAllByText('Confirmed')).toHaveLength(2));
  screen.getByText('other@example.org');

  await press(browser, 'Change the second address');
  const how = screen.getByLabelText('How the second warning reaches you');
  await browser.user.selectOptions(how, 'sms');
  await screen.findByText(/^Text messages leave once the administrator has permitted yours\./);
  await fill(browser, await screen.findByLabelText('Phone number'), '+44 7700 900123');
  await press(browser, 'Send confirmation link there');
  await screen.findByText(/Until then the address that was confirmed before stays in use\./);
  await pressLink(instance(), await lastMessage(instance(), 'prove-address'));
  await press(browser, 'Look again');
  await screen.findByText('+447700900123');

  const [, removesSecond] = await screen.findAllByRole('button', { name: 'Remove' });
  removesSecond?.click();
  await screen.findByRole('alertdialog', { name: 'Remove the second address?' });
  await press(browser, 'Remove it');
  await expectToast('Second Address Removed');
  await expectNoDialog();
  await screen.findByRole('button', { name: 'Add a second address or a phone number' });
  screen.getByText('author@example.org');
});

test('a trusted contact is named, postpones by one press on the page of the mail, is shown, and is removed', async () => {
  const author = await anAuthor();
  const { browser } = author;
  await openScrolls(browser);
  await press(browser, 'Name a trusted contact');
  await press(browser, 'Name them');
  await screen.findByText('Enter the name of your contact.');
  screen.getByText(/The server can read their name and address\./);
  await fill(browser, screen.getByLabelText('Their name'), ' Ben ');
  await fill(browser, screen.getByLabelText('Their mail address'), 'ben@example.org');
  await press(browser, 'Name them');
  await expectToast('Trusted Contact Named');
  await screen.findByText('Ben, ben@example.org');
  await press(browser, 'Remove the contact');
  await screen.findByRole('alertdialog', { name: 'Remove the trusted contact?' });
  await press(browser, 'Remove them');
  await expectToast('Trusted Contact Removed');
  await press(browser, 'Name a trusted contact');
  await fill(browser, screen.getByLabelText('Their name'), 'Ben');
  await fill(browser, screen.getByLabelText('Their mail address'), 'ben@example.org');
  await press(browser, 'Name them');
  await screen.findByText('Ben, ben@example.org');

  await leaveScroll(author.call, await sealScroll(), { days: 2, warning: 'dashboard' });
  await watched().live(DAY + 4 * HOUR, { deliver: true });
  const link = await postponePath(instance());
  const contact = openBrowser(instance());
  await contact.open(link);
  await screen.findByRole('heading', { name: 'Postpone the letters?', level: 1 });
  expect(await instance().deps.db.selectFrom('trusted_contacts').select('postponed_at').execute()).toEqual([
    { postponed_at: null },
  ]);
  await press(contact, 'Postpone by thirty days');
  const done = await screen.findByRole('heading', { name: 'The letters are postponed', level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(done));
  await contact.reload();
  await screen.findByRole('heading', { name: 'It was postponed before', level: 1 });

  await openScrolls(browser);
  await waitFor(() => expect(rowText()).toContain('Your trusted contact has postponed it'));
  await screen.findByText(/^Ben postponed your letters .* None is sent for inactivity in the next 30 days\./);
  await browser.open('/');
  await screen.findByText(/Your trusted contact has postponed it, for thirty days from then\./);
});

test('whoever is answered as a contact or a second address and was not sent, is not shown, and that is said', async () => {
  const { browser } = await anAuthor();
  const answerOtherwise = (path: string, lie: (reply: Record<string, unknown>) => object) =>
    browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (request.method !== 'PUT' || new URL(request.url).pathname !== path) return answer;
      return Response.json(lie((await answer.json()) as Record<string, unknown>));
    });
  const other = 'stranger@example.org';
  answerOtherwise('/api/second-warning', (reply) => ({ ...reply, address: other }));
  answerOtherwise('/api/trusted-contact', ({ contact }) => ({
    contact: { ...(contact as object), address: other },
  }));
  await openScrolls(browser);
  await press(browser, 'Add a second address or a phone number');
  await fill(browser, screen.getByLabelText('Second warning address'), 'other@example.org');
  await press(browser, 'Send confirmation link there');
  await screen.findByText(/^The server answered with another address or name than was sent\./);
  expect(document.body.textContent).not.toContain(other);
  await browser.reload();
  await press(browser, 'Name a trusted contact');
  await fill(browser, screen.getByLabelText('Their name'), 'Ben');
  await fill(browser, screen.getByLabelText('Their mail address'), 'ben@example.org');
  await press(browser, 'Name them');
  await screen.findByText(/^The server answered with another address or name than was sent\./);
  expect(document.body.textContent).not.toContain(other);
});
