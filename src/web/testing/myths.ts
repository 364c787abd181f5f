// The Myth Builder as a step of other tests: its form, what is chosen there, and what is sealed by calls.
import { screen, within } from '@testing-library/dom';
import type { Myth } from '../../shared/nouns/myth.ts';
import type { Member } from './member.ts';
import { fill, press } from './steps.ts';

export const MYTHS = '/api/myth-stories';

/** What is typed into the form of a myth; what is left out stays as it stands there. */
export interface TypedMyth {
  /** By its label, as every choice here. */
  type?: string;
  source?: string;
  person?: string;
  duration?: string;
  tone?: string;
}

/** Seals a myth by calls, as another device would. */
export const postMyth = (
  { postSealed }: Member,
  texts: { title: string; encryptedContent: string; details?: string },
  clear: object = { storyType: 'biography' },
) => postSealed<Myth>(MYTHS, 'myth', texts, clear);

export const mythForm = () => screen.findByRole('dialog');

export async function beginMyth({ browser }: Member): Promise<void> {
  await press(browser, 'Create Sacred Myth', screen.getByRole('main'));
  // Who can make it is known.
  await within(await mythForm()).findByText(/^The Loom/);
}

export async function typeMyth({ browser }: Member, typed: TypedMyth): Promise<void> {
  const { findByLabelText } = within(await mythForm());
  const { type, source, person, duration, tone } = typed;
  if (type !== undefined) await browser.user.selectOptions(await findByLabelText('Story type'), type);
  if (source !== undefined) await fill(browser, await findByLabelText(/^(Source|In your own words)/), source);
  if (person !== undefined) await fill(browser, await findByLabelText(/^(Person|For whom)/), person);
  if (duration !== undefined) await fill(browser, await findByLabelText(/^For how long/), duration);
  if (tone !== undefined) await browser.user.selectOptions(await findByLabelText(/^Tone/), tone);
}

export const weaveMyth = async ({ browser }: Member) => {
  await press(browser, 'Make the story', await mythForm());
  await screen.findByRole('heading', { name: 'Before it is sealed' });
};

export const sealMyth = async ({ browser }: Member) => press(browser, 'Seal Myth', await mythForm());
