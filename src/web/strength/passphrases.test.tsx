// Passphrases where they are chosen, below the browser: weak ones are refused, and what a server may not decide about them.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSettings, postMemory } from '../testing/another-key.ts';
import { fillFields } from '../testing/authoring.ts';
import { type Browser, openBrowser } from '../testing/browser.tsx';
import { answerQuestions, beginByPassphrase, openBeginning } from '../testing/gate-steps.ts';
import { anInstance } from '../testing/instance.ts';
import { enterAsMember } from '../testing/member.ts';
import { unreachable } from '../testing/network.ts';
import { fill, press, textIn } from '../testing/steps.ts';
import { stretchLightly, WorkerHere } from '../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';
const WEAK = 'aaaaaaaaaaaa';
const ADVICE = 'Repeated characters like "aaa" are easy to guess.';

const pathOf = ({ url }: Request) => new URL(url).pathname;
const firstQuestion = () => screen.findByLabelText('What are you hiding?');

/** Begins under a name while the server gives every name one salt; returns the key that is sent to sign in. */
async function keyUnderOneSalt(name: string): Promise<string> {
  const browser = openBrowser(instance());
  let sent = '';
  browser.network.intercept(async (request, forward) => {
    if (pathOf(request) === '/api/gate/passphrase/begin') {
      ({ authKey: sent } = (await request.clone().json()) as { authKey: string });
      throw unreachable();
    }
    const answer = await forward();
    if (pathOf(request) !== '/api/gate/passphrase/salt') return answer;
    return Response.json({ ...((await answer.json()) as object), salt: 'AAAAAAAAAAAAAAAAAAAAAA' });
  });
  await beginByPassphrase(browser, name, PASSPHRASE);
  await screen.findByRole('alert');
  return sent;
}

test('a server that gives every name one salt gets another key for each', async () => {
  const agnes = await keyUnderOneSalt('agnes');
  const boris = await keyUnderOneSalt('boris');
  expect(agnes).toMatch(/^[\w-]{43}$/);
  expect(boris).not.toBe(agnes);
});

async function type(browser: Browser, passphrase: string, place: HTMLElement = document.body): Promise<void> {
  await fill(browser, within(place).getByLabelText('Passphrase'), passphrase);
  await fill(browser, within(place).getByLabelText('Repeat passphrase'), passphrase);
}

const expectAdvice = (text: string) =>
  waitFor(() => {
    const advice = document.querySelector('[data-strength]');
    expect(advice?.getAttribute('aria-live')).toBe('polite');
    expect(advice?.textContent).toContain(text);
  });

test('a weak passphrase is advised against while it is typed, and refused when it is sent', async () => {
  const browser = openBrowser(instance());
  await openBeginning(browser);
  await fill(browser, await screen.findByRole('textbox', { name: 'Name' }), 'clara');
  await type(browser, WEAK);
  await expectAdvice(`Easy to guess. ${ADVICE}`);
  await press(browser, 'Make the vault');
  await screen.findByText(`This is too easy to guess. ${ADVICE}`, { exact: false });
  await type(browser, 'clara clara clara');
  await expectAdvice('Easy to guess.');
  expect(browser.network.asked.filter((call) => call.includes('/api/gate/'))).toEqual([]);
  await type(browser, PASSPHRASE);
  await expectAdvice('Hard to guess.');
  await press(browser, 'Make the vault');
  await answerQuestions(browser);
});

/** Has the strength check fail to load. Returns how to mend that. */
function withoutStrengthCheck(): () => void {
  let broken = true;
  class SometimesHere extends WorkerHere {
    constructor(url: string | URL) {
      super(broken && String(url).includes('strength-worker') ? '/assets/none-worker-1.js' : url);
    }
  }
  vi.stubGlobal('Worker', SometimesHere);
  onTestFinished(() => void vi.stubGlobal('Worker', WorkerHere));
  return () => {
    broken = false;
  };
}

test('without the strength check nothing but six chosen words is taken, until it can be loaded', async () => {
  const mend = withoutStrengthCheck();
  const browser = openBrowser(instance());
  await beginByPassphrase(browser, 'dora', PASSPHRASE);
  await screen.findAllByText(/could not be checked/);
  expect(browser.network.asked).not.toContain('POST /api/gate/passphrase/begin');
  mend();
  await press(browser, 'Make the vault');
  await firstQuestion();
});

test('six chosen words need no check', async () => {
  withoutStrengthCheck();
  const browser = openBrowser(instance());
  await openBeginning(browser);
  await fill(browser, await screen.findByRole('textbox', { name: 'Name' }), 'edith');
  await press(browser, 'Choose six words for me');
  await waitFor(() => expect(textIn(screen.getByLabelText('Passphrase')).split(' ')).toHaveLength(6));
  await press(browser, 'Make the vault');
  await firstQuestion();
});

test('weak passphrases are refused wherever one is chosen', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await postMemory(member, 'The bell', 'It still rings.');
  const refused = () => screen.findByText(/This is too easy to guess\./);

  await openSettings(browser);
  await press(browser, 'Export');
  const exporting = await screen.findByRole('dialog', { name: 'Export' });
  await within(exporting).findByLabelText('Form');
  await type(browser, WEAK, exporting);
  await press(browser, 'Export sealed', exporting);
  await refused();

  await browser.open('/');
  await press(browser, 'Choose one');
  const choosing = await screen.findByRole('dialog');
  await fill(browser, within(choosing).getByRole('textbox', { name: 'Name' }), 'flora');
  await type(browser, WEAK, choosing);
  await press(browser, 'Save', choosing);
  await refused();

  await browser.open('/sacred-keys');
  await screen.findByRole('heading', { name: 'Sacred Keys', level: 1 });
  const [create] = await screen.findAllByRole('button', { name: 'Create Sacred Key' });
  if (create) await browser.user.click(create);
  const sharing = await screen.findByRole('dialog');
  await browser.user.selectOptions(within(sharing).getByLabelText('Content type'), 'memory');
  const option = await within(sharing).findByRole<HTMLOptionElement>('option', { name: /The bell/ });
  await browser.user.selectOptions(within(sharing).getByLabelText('Specific entry'), option.value);
  await fill(browser, within(sharing).getByLabelText(/^Passphrase/), WEAK);
  await press(browser, 'Create Sacred Key', sharing);
  await refused();

  await browser.open('/legacy-scroll');
  await fill(browser, await screen.findByRole('textbox', { name: 'Title' }), 'For later');
  await fill(browser, screen.getByRole('textbox', { name: 'Letter' }), 'It was never dry.');
  await browser.user.selectOptions(screen.getByLabelText('When'), 'manual');
  await fillFields(browser, { 'Email address': 'boris@example.org' });
  await browser.user.selectOptions(screen.getByLabelText('Way to open it'), 'passphrase');
  await type(browser, WEAK);
  await press(browser, 'Seal the letter');
  await refused();
});
