// A server that sends: to a mail server and a telephone company that keep what they get. Its messages carry links, so
// it knows its own address before it starts.
import { freePort } from '../src/testing/free-port.ts';
import { openPostOffice, type PostOffice } from '../src/testing/post-office.ts';
import { openTelephoneCompany, type TelephoneCompany } from '../src/testing/telephone-company.ts';
import { test as base, expect, openInstance } from './instance.ts';

interface Transports {
  post: PostOffice;
  telephones: TelephoneCompany;
}

export const test = base.extend<{ transports: Transports }>({
  transports: async ({ quiet: _ }, use) => {
    const [post, telephones] = await Promise.all([openPostOffice(), openTelephoneCompany()]);
    await use({ post, telephones });
    await Promise.all([post.close(), telephones.close()]);
  },
  instance: async ({ context, transports: { post, telephones } }, use) => {
    const port = String(await freePort());
    const instance = await openInstance({
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
      SMTP_URL: post.url,
      MAIL_FROM: 'Latebra <vault@example.org>',
      TWILIO_ACCOUNT_SID: telephones.accountSid,
      TWILIO_AUTH_TOKEN: telephones.authToken,
      TWILIO_FROM: '+447700900000',
      TWILIO_URL: telephones.url,
    });
    await use(instance);
    await Promise.all(context.pages().map((page) => page.close()));
    await instance.stop();
  },
});

/** Waits until so many mails have a subject like this, and returns them, oldest first. */
export async function mails({ received }: PostOffice, subject: RegExp, count: number) {
  const found = () => received.filter(({ mail }) => subject.test(mail.subject ?? ''));
  await expect.poll(() => found().length, `mails about ${subject}`).toBe(count);
  return found();
}

/** The one link in a message. */
export function linkIn(text = ''): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (!link) throw new Error(`there is no link in ${text}`);
  return link;
}
