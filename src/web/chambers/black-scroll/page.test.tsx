// The black scroll as members see it: the manifesto, its check, the whisper, recordings that become text, and what the
// administrator alone finds.
import { screen, waitFor, within } from '@testing-library/dom';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hiddenLine, sections } from '../../../shared/black-scroll.ts';
import { game, scrollFiles } from '../../../shared/nouns/game.ts';
import { scrollText } from '../../../shared/scroll-text.ts';
import { DAY } from '../../../shared/time.ts';
import { createServices } from '../../api/services.tsx';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import {
  answerSpeech,
  ENGINE,
  filePick,
  recording,
  type SpeechAnswers,
  watchSound,
  watchUploads,
} from '../../testing/speech.ts';
import { expectToast, press } from '../../testing/steps.ts';
import { BlackScrollDocument } from './document.tsx';
import { shownSections } from './shown-sections.ts';

const instance = anInstance();

async function openScroll(prepare: (speech: SpeechAnswers) => void = () => {}) {
  const { browser, user } = await enterAsMember(instance());
  const speech = answerSpeech(browser.network);
  prepare(speech);
  await browser.open('/black-scroll');
  await screen.findByRole('heading', { name: 'The Black Scroll', level: 1 });
  return { browser, user, speech };
}

/** Makes whoever is shown the page an administrator, as far as the page knows. */
function asAdmin({ network }: Browser): void {
  network.intercept(async (request, forward) => {
    const response = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return response;
    return Response.json({ ...((await response.json()) as object), isAdmin: true });
  });
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('says every section of the manifesto, and the line that the eye does not see', async () => {
  await openScroll();
  const page = screen.getByRole('main').textContent;
  for (const { numeral, title, paragraphs, items = [] } of sections) {
    expect(screen.getByRole('heading', { name: `${numeral}. ${title}`, level: 2 })).toBeTruthy();
    for (const words of [...paragraphs, ...items.flatMap(({ name, says }) => [name, says])])
      expect(page).toContain(words);
  }
  expect(page).toContain(hiddenLine.before + hiddenLine.link + hiddenLine.after);
  expect(sections).toHaveLength(7);
});

test('every file of the scroll can be downloaded under its name', async () => {
  await openScroll();
  for (const name of Object.values(scrollFiles)) {
    const links = screen.getAllByRole<HTMLAnchorElement>('link').filter(({ download }) => download === name);
    expect(links.length, name).toBeGreaterThanOrEqual(1);
    for (const link of links) expect(link.getAttribute('href')).toBe(`/api/black-scroll/${name}`);
  }
  expect(screen.getByRole('link', { name: 'Download .asc' }).getAttribute('href')).toBe(
    game.file.path.replace('{name}', 'BLACK_SCROLL_001.asc'),
  );
});

test('the check calls what the server serves good, and says what that does not prove', async () => {
  const { browser } = await openScroll();
  expect(screen.getByText(/proves that the text is whole, not who wrote it/)).toBeTruthy();
  await press(browser, 'Verify');
  await screen.findByText('Good signature');
  expect(screen.getByText(/^([0-9A-F]{4} ){9}[0-9A-F]{4}$/)).toBeTruthy();
});

/** Has the server's file of this name arrive with one byte changed. */
function changeByte({ network }: Browser, name: string, where: number): void {
  network.intercept(async (request, forward) => {
    const response = await forward();
    if (!request.url.endsWith(`/${name}`)) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const at = Math.floor(bytes.length * where);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return new Response(bytes);
  });
}

const brokenNames = () =>
  within(screen.getByRole('status'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test.each(
  Object.values(scrollFiles).flatMap((name) =>
    [0, 0.15, 0.5, 0.9, 0.999].map((where) => [name, where] as const),
  ),
)(
  'the check calls %s broken, and no other file, when it has another byte at %d of its length',
  async (name, where) => {
    const { browser } = await openScroll();
    changeByte(browser, name, where);
    await press(browser, 'Verify');
    await screen.findByText('Broken');
    expect(screen.queryByText('Good signature')).toBeNull();
    expect(brokenNames()).toEqual([name]);
  },
);

test('the check calls a page broken that says another word than was signed', async () => {
  const { browser } = await openScroll();
  const [paragraph] = screen.getAllByText(/Fire would be noticed/);
  if (paragraph) paragraph.textContent = paragraph.textContent.replace('Fire', 'Fine');
  await press(browser, 'Verify');
  await screen.findByText('Broken');
  screen.getByText(/words on this page are not those that were signed/);
  expect(within(screen.getByRole('status')).queryAllByRole('listitem')).toEqual([]);
});

test.each<[string, (paragraph: HTMLElement, added: HTMLElement) => void]>([
  ['beside a paragraph', (paragraph, added) => paragraph.after(added)],
  ['at the end of a section', (paragraph, added) => paragraph.closest('section')?.append(added)],
  ['between two sections', (paragraph, added) => paragraph.closest('section')?.after(added)],
])('the check calls a page broken that says more than was signed, %s', async (_, add) => {
  const { browser } = await openScroll();
  const [paragraph] = screen.getAllByText(/Fire would be noticed/);
  const added = document.createElement('blockquote');
  added.textContent = 'Nobody has signed this.';
  if (paragraph) add(paragraph, added);
  onTestFinished(() => added.remove());
  await press(browser, 'Verify');
  await screen.findByText('Broken');
  screen.getByText(/words on this page are not those that were signed/);
});

test('the check calls it good by a clock that is a year behind the key', async () => {
  const { browser } = await openScroll();
  const now = Date.now();
  vi.setSystemTime(now - 366 * DAY);
  onTestFinished(() => void vi.setSystemTime(now));
  await press(browser, 'Verify');
  await screen.findByText('Good signature');
});

test('a browser without cryptography judges nothing', async () => {
  const { browser } = await openScroll();
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());
  await press(browser, 'Verify');
  await screen.findByText(/nothing was checked/);
  expect(screen.queryByText('Broken')).toBeNull();
});

test('a check that cannot fetch its files says so, and judges nothing', async () => {
  const { browser } = await openScroll();
  browser.network.cut();
  await press(browser, 'Verify');
  expect((await screen.findByRole('alert')).textContent).toContain('could not be reached');
  expect(screen.queryByText('Broken')).toBeNull();
  browser.network.cut(false);
  await press(browser, 'Verify');
  await screen.findByText('Good signature');
});

test('the whisper plays at 0.95 once its source is set, and is rewound when it is stopped', async () => {
  const { browser } = await openScroll();
  const sound = watchSound();
  await press(browser, 'Hear Whisper');
  expect(sound.played).toEqual([{ src: '/api/whisper-audio/current', rate: 0.95 }]);
  sound.element().currentTime = 12;
  await press(browser, 'Stop Whisper');
  expect(sound.element().currentTime).toBe(0);
  expect(sound.element().pause).toHaveBeenCalled();
  await press(browser, 'Hear Whisper');
  sound.element().dispatchEvent(new Event('ended'));
  await waitFor(() => button('Hear Whisper'));
});

test('a whisper that cannot be played says so and is stopped', async () => {
  const { browser } = await openScroll();
  const sound = watchSound();
  sound.fails = true;
  await press(browser, 'Hear Whisper');
  await expectToast('Audio Playback Failed', 'Unable to play the whisper audio');
  expect(button('Hear Whisper')).toBeTruthy();
});

test('who hears a recording is said before one can be sent, and its words come back', async () => {
  const { browser, speech } = await openScroll();
  await screen.findByText(/heard in the clear by this server, by pocketsphinx/);
  expect(button('Transcribe').disabled).toBe(true);
  await browser.user.upload(filePick(), recording());
  await expectToast('Audio File Selected', 'a voice.mp3');
  expect(speech.heard).toEqual([]);
  await press(browser, 'Transcribe');
  await expectToast('Transcription Complete');
  const box = screen.getByRole('region', { name: 'Rough transcript (English)' });
  expect(box.textContent).toBe('she wrote a letter');
  expect(speech.heard).toEqual(['audio: sound']);
  await press(browser, 'Clear');
  expect(screen.queryByRole('region', { name: /transcript/i })).toBeNull();
  expect(screen.getByText('No file selected')).toBeTruthy();
});

test('a service that hears is named, and nobody is where none is configured', async () => {
  const first = await openScroll((speech) => {
    speech.engine = { ...ENGINE, engine: 'remote', hearer: 'speech.example.org', rough: false };
  });
  await screen.findByText(/a service that this server sends it to: speech\.example\.org/);
  first.speech.engine = { engine: 'none', hearer: '', rough: false, maxBytes: 0, maxSeconds: 0 };
  await first.browser.reload();
  await screen.findByText(/Recordings cannot be transcribed on this server/);
  expect(button('Select File').disabled).toBe(true);
});

test('what is no audio is refused, and what is too large is never sent', async () => {
  const { browser, speech } = await openScroll();
  await screen.findByText(/heard in the clear/);
  const field = filePick();
  field.removeAttribute('accept');
  await browser.user.upload(field, recording('text', 'text/plain', 'notes.txt'));
  await expectToast('Invalid File', 'Please select an audio file (mp3, wav, m4a, etc.)');
  expect(button('Transcribe').disabled).toBe(true);
  await browser.user.upload(field, recording('x'.repeat(ENGINE.maxBytes + 1)));
  await press(browser, 'Transcribe');
  await expectToast('File Too Large', 'The largest that is taken has 1.0 MB.');
  expect(screen.getByRole('alert').textContent).toContain('The largest that is taken has 1.0 MB.');
  expect(speech.heard).toEqual([]);
});

test('a transcription that fails says why, and one that is cancelled says nothing', async () => {
  const { browser, speech } = await openScroll();
  await screen.findByText(/heard in the clear/);
  await browser.user.upload(filePick(), recording());
  speech.hear = () =>
    Response.json({ code: 'recording-too-long', message: 'This recording is too long.' }, { status: 422 });
  await press(browser, 'Transcribe');
  await expectToast('Transcription Failed', 'Unable to process audio file');
  expect(screen.getByRole('alert').textContent).toBe('This recording is too long.');

  speech.hear = () => new Promise(() => {});
  await press(browser, 'Transcribe');
  await screen.findByRole('progressbar');
  await press(browser, 'Cancel');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(button('Transcribe').disabled).toBe(false);
});

test('nobody but an administrator finds the panel', async () => {
  await openScroll();
  expect(screen.queryByRole('button', { name: 'Open Admin Panel' })).toBeNull();
});

test('an administrator replaces the whisper, sees how much has gone, and hears the new one', async () => {
  const { browser, user } = await enterAsMember(instance());
  answerSpeech(browser.network);
  asAdmin(browser);
  const uploads = watchUploads();
  const sound = watchSound();
  await browser.open('/black-scroll');
  await press(browser, 'Open Admin Panel');
  const panel = screen.getByRole('region', { name: 'The whisper' });
  const update = () =>
    within(panel).getByRole<HTMLButtonElement>('button', { name: /Update Whisper Audio|Updating/ });
  expect(update().disabled).toBe(true);
  await browser.user.upload(filePick(panel), recording('x'.repeat(1_572_864), 'audio/wav', 'new.wav'));
  expect(panel.textContent).toContain('new.wav · 1.5 MB');
  await press(browser, 'Update Whisper Audio', panel);
  const [sent] = uploads;
  expect(sent).toMatchObject({ method: 'POST', path: '/api/whisper-audio/upload' });
  expect(sent?.headers).toEqual({ 'x-latebra-account': user.id });
  expect([...(sent?.form.keys() ?? [])]).toEqual(['whisperAudio']);
  sent?.progress(1, 4);
  await waitFor(() =>
    expect(within(panel).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25'),
  );
  sent?.answer(200, { contentType: 'audio/wav', bytes: 1_572_864, replacedAt: new Date().toISOString() });
  await expectToast('Audio Updated', 'Whisper audio has been updated successfully');
  expect(panel.textContent).toContain('No file selected');
  await press(browser, 'Hear Whisper');
  expect(sound.played.at(-1)).toEqual({ src: `/api/whisper-audio/current?v=${Date.now()}`, rate: 0.95 });
  await press(browser, 'Close Admin Panel', panel);
  expect(screen.queryByRole('button', { name: 'Update Whisper Audio' })).toBeNull();
});

test('an upload that fails is told and logged, and keeps its file; one that is cancelled is neither', async () => {
  const { browser } = await enterAsMember(instance());
  answerSpeech(browser.network);
  asAdmin(browser);
  const uploads = watchUploads();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await browser.open('/black-scroll');
  await screen.findByRole('button', { name: 'Open Admin Panel' });
  await press(browser, 'Open Admin Panel');
  const panel = screen.getByRole('region', { name: 'The whisper' });
  await browser.user.upload(filePick(panel), recording());
  await press(browser, 'Update Whisper Audio', panel);
  uploads[0]?.answer(500, { code: 'internal', message: 'Something went wrong here.' });
  await expectToast('Upload Failed', 'Unable to upload audio file');
  expect(within(panel).getByRole('alert').textContent).toContain('Something went wrong here.');
  expect(logged).toHaveBeenCalledTimes(1);
  await press(browser, 'Update Whisper Audio', panel);
  await press(browser, 'Cancel', panel);
  expect(uploads[1]?.isAborted).toBe(true);
  await waitFor(() => expect(within(panel).queryByRole('progressbar')).toBeNull());
  expect(logged).toHaveBeenCalledTimes(1);
  expect(panel.textContent).toContain('a voice.mp3');
});

test('the document for visitors says the same, without a script, and holds no form of its own', () => {
  const services = createServices();
  const holder = document.createElement('div');
  holder.innerHTML = renderToStaticMarkup(<BlackScrollDocument services={services} />);
  services.queryClient.clear();
  const says = holder.textContent;
  for (const { paragraphs } of sections) for (const words of paragraphs) expect(says).toContain(words);
  expect(scrollText(shownSections(holder))).toBe(scrollText());
  expect(
    [...holder.querySelectorAll('[data-island]')].map((island) => island.getAttribute('data-island')),
  ).toEqual(['whisper', 'verify', 'transcription']);
  expect(holder.querySelector('[style]')).toBeNull();
  expect(holder.querySelectorAll('form')).toHaveLength(0);
});

test('a visitor whose session has ended reads it too', async () => {
  const browser = openBrowser(instance());
  answerSpeech(browser.network);
  await browser.open('/black-scroll');
  await screen.findByRole('heading', { name: 'The Black Scroll', level: 1 });
  expect(screen.getByRole('link', { name: 'Enter' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open Admin Panel' })).toBeNull();
});
