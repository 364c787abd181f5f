import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { aLetter, LETTER_ID } from '../../testing/letters.ts';
import {
  openPostOffice,
  type PostOffice,
  type PostOfficeMood,
  type PostOfficeOptions,
} from '../../testing/post-office.ts';
import { createMailTransport, type MailOptions } from './mail.ts';

const TO = 'ann@mail.example';
const HOUSE = new URL('https://vault.example:8443');
const FROM = { name: 'Latebra, a server', address: 'vault@vault.example' };

const open: PostOffice[] = [];
afterEach(() => Promise.all(open.splice(0).map((office) => office.close())));

async function anOffice(mood: PostOfficeMood = 'accepts', options: PostOfficeOptions = {}) {
  const office = await openPostOffice(options);
  office.behave(mood);
  open.push(office);
  return office;
}

const transportTo = (url: string, options: Partial<MailOptions> = {}) =>
  createMailTransport({ mail: { url: new URL(url), from: FROM }, instance: HOUSE, ...options });

describe('a mail', () => {
  it('is well made: text and HTML alike, a number of its own, and nothing that tells of the machine', async () => {
    const office = await anOffice();
    const text = 'A line of text — with a dash.\n.\nhttps://vault.example/legacy/abc\n';
    expect(await transportTo(office.url).send(aLetter(TO, { text, html: '<p>“A line”</p>' }))).toBe(
      'accepted',
    );
    const [received] = office.received;
    expect(received).toMatchObject({ recipient: TO, sender: FROM.address });
    expect(received?.mail).toMatchObject({
      from: FROM,
      to: [{ address: TO }],
      subject: 'A letter’s subject',
      messageId: `<${LETTER_ID}@vault.example>`,
      attachments: [],
    });
    expect(received?.mail.text?.trim()).toBe(text.trim());
    expect(received?.mail.html?.trim()).toBe('<p>“A line”</p>');
    const names = received?.mail.headers.map(({ key }) => key).sort();
    expect(names).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
    expect(received?.mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(received?.raw).toMatch(/^content-type: multipart\/alternative;/im);
  });

  it('says where one press ends what recurs, and says nothing of that where nothing does', async () => {
    const office = await anOffice();
    const url = 'https://vault.example:8443/api/reminders/abc';
    await transportTo(office.url).send(aLetter(TO, { unsubscribe: url }));
    const headers = office.received[0]?.mail.headers.filter(({ key }) => key.startsWith('list-'));
    expect(headers).toMatchObject([
      { key: 'list-unsubscribe', value: `<${url}>` },
      { key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' },
    ]);
  });

  it('has the same number at every try', async () => {
    const office = await anOffice('drops after the message');
    const transport = transportTo(office.url);
    await transport.send(aLetter(TO));
    office.behave('accepts');
    await transport.send(aLetter(TO));
    await transport.send(aLetter(TO));
    const numbers = office.received.map(({ mail }) => mail.messageId);
    expect(numbers).toEqual(Array(2).fill(`<${LETTER_ID}@vault.example>`));
  });

  it.each([
    'ann@mail.example\r\nBcc: eve@mail.example',
    'ann@mail.example>\r\nRCPT TO:<eve@mail.example',
    'ann@mail.example, eve@mail.example',
    'ann@mail.example\n',
    'Ann <ann@mail.example>',
    'ann\u0000@mail.example',
    'ann\u202e@mail.example',
    'ann',
    '',
  ])('goes to no such address as %j', async (to) => {
    const office = await anOffice();
    expect(await transportTo(office.url).send(aLetter(to))).toEqual({
      refused: 'for-good',
      why: 'This is not an e-mail address.',
    });
    expect(office.connections()).toBe(0);
  });

  it('keeps a subject to its line', async () => {
    const office = await anOffice();
    await transportTo(office.url).send(aLetter(TO, { subject: 'One\r\nBcc: eve@mail.example\r\n\r\nTwo' }));
    expect(office.received[0]?.mail).toMatchObject({
      subject: expect.stringMatching(/^One Bcc: eve@mail\.example +Two$/),
      text: expect.stringMatching(/^What it says\n/),
    });
    expect(office.received[0]?.mail.bcc).toBeUndefined();
    expect(office.received[0]?.recipient).toBe(TO);
  });
});

describe('an address beyond ASCII', () => {
  it('is translated after its @', async () => {
    const office = await anOffice('accepts', { utf8: false });
    expect(await transportTo(office.url).send(aLetter('ann@bücher.example'))).toBe('accepted');
    expect(office.received[0]?.raw).toMatch(/^To: ann@xn--bcher-kva\.example\r$/m);
    // The server reads it back.
    expect(office.received[0]?.recipient).toBe('ann@bücher.example');
  });

  it('is taken as it is by a server that knows such addresses', async () => {
    const office = await anOffice();
    expect(await transportTo(office.url).send(aLetter('jörg@bücher.example'))).toBe('accepted');
    expect(office.received[0]?.recipient).toMatch(/^jörg@/);
  });

  it('counts as refused for good where a server takes it and does not know such addresses', async () => {
    const office = await anOffice('accepts', { utf8: false });
    expect(await transportTo(office.url).send(aLetter('jörg@bücher.example'))).toEqual({
      refused: 'for-good',
      why: 'The mail server does not know addresses with letters like those before the @. What it took may not arrive.',
    });
  });

  it('may be the reason of a refusal, and the author is told', async () => {
    const office = await anOffice('refuses for good');
    expect(await transportTo(office.url).send(aLetter('jörg@bücher.example'))).toEqual({
      refused: 'for-good',
      why: 'The mail server refused this address (550). Not every server takes the letters before its @.',
    });
  });
});

describe('what goes wrong', () => {
  it.each<[PostOfficeMood, 'for-good' | 'for-now', string]>([
    ['refuses for good', 'for-good', 'The mail server refused this address (550).'],
    ['refuses the message for good', 'for-now', 'The mail server does not take this mail now (550).'],
    ['refuses the message for now', 'for-now', 'The mail server does not take this mail now (452).'],
    ['refuses to relay', 'for-now', 'The mail server does not take mail for this address now (554).'],
    ['refuses the message as spam', 'for-now', 'The mail server does not take this mail now (550).'],
    ['refuses the sender', 'for-now', 'The mail server takes no mail from this server (550).'],
    ['greets with 554', 'for-now', 'The mail server takes no mail now (554).'],
    ['drops before greeting', 'for-now', 'The connection to the mail server broke.'],
    ['drops after the message', 'for-now', 'The connection to the mail server broke.'],
  ])('is told apart where a server %s', async (mood, refused, why) => {
    const office = await anOffice(mood);
    expect(await transportTo(office.url).send(aLetter(TO))).toEqual({ refused, why });
  });

  it.each<[string, 'for-good' | 'alone' | 'for-now']>([
    ['550 5.1.1', 'for-good'],
    ['550 5.1.2', 'for-good'],
    ['551', 'for-good'],
    ['551 5.1.6', 'for-good'],
    ['501 5.1.3', 'for-good'],
    ['550 5.2.1', 'for-good'],
    ['556', 'for-good'],
    ['556 5.1.10', 'for-good'],
    ['550 No such user here', 'for-good'],
    ['553 Mailbox not found', 'for-good'],
    ['550 5.1.0 Recipient address rejected: User unknown', 'for-good'],
    // Many say it of whatever they do not like.
    ['550', 'alone'],
    ['553', 'alone'],
    ['550 Message rejected', 'alone'],
    // A mailbox that is full, or that is not known yet, is emptied or found one day.
    ['552', 'alone'],
    ['552 5.2.2', 'alone'],
    ['450', 'alone'],
    ['451', 'alone'],
    ['450 4.2.0 Greylisted', 'alone'],
    ['452 4.2.2', 'alone'],
    // An address that this server cannot read is not wrong for all, and says nothing of other mails.
    ['501', 'alone'],
    ['501 5.5.4 Invalid address', 'alone'],
    ['501 <a..b@mail.example>: malformed address', 'alone'],
    // All else is said of this server, its sender or its mails.
    ['550 5.7.1', 'for-now'],
    ['550 5.7.26', 'for-now'],
    ['550 relay not permitted', 'for-now'],
    ['553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)', 'for-now'],
    ['550 Access denied', 'for-now'],
    ['550 Mailbox unavailable. Your account exceeded its sending limit', 'for-now'],
    ['550 5.1.0 Authentication required', 'for-now'],
    ['550 5.1.0 Sender rejected', 'for-now'],
    ['550 Relaying denied', 'for-now'],
    ['550 Your IP is blocked', 'for-now'],
    ['550 listed at a blocklist', 'for-now'],
    ['550 Sender verify failed', 'for-now'],
    ['553 5.1.8', 'for-now'],
    ['550 5.1.7', 'for-now'],
    ['550 5.4.1', 'for-now'],
    ['550 5.3.0', 'for-now'],
    ['554', 'for-now'],
    ['554 5.7.1', 'for-now'],
    ['521', 'for-now'],
    ['503', 'for-now'],
    ['530 5.7.0', 'for-now'],
    ['450 4.7.1', 'for-now'],
    ['451 Too many messages, slow down', 'for-now'],
  ])(
    'ends a message for its address alone: a recipient that is answered %s is refused %s',
    async (reply, how) => {
      const office = await anOffice({ recipient: reply });
      const delivery = await transportTo(office.url).send(aLetter(TO));
      const number = reply.slice(0, 3);
      const now = `The mail server does not take mail for this address now (${number}).`;
      expect(delivery).toEqual(
        how === 'for-good'
          ? { refused: 'for-good', why: `The mail server refused this address (${number}).` }
          : { refused: 'for-now', why: now, ...(how === 'alone' && { alone: true }) },
      );
    },
  );

  it.each(['hangs before greeting', 'hangs after the message'] as const)(
    'ends where a server %s',
    async (mood) => {
      const office = await anOffice(mood);
      const patience = new AbortController();
      const sent = transportTo(office.url, { deadline: () => patience.signal }).send(aLetter(TO));
      await office.hanging();
      patience.abort();
      expect(await sent).toEqual({ refused: 'for-now', why: 'The mail server did not answer in time.' });
    },
  );

  it.each(['smtp', 'smtps'])('ends where %s meets a server that never says a word', async (scheme) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const url = `${scheme}://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const patience = { reaching: 20, answering: 20 };
    expect(await transportTo(url, { patience }).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'The mail server did not answer in time.',
    });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('is nobody’s fault where no server listens', async () => {
    const office = await anOffice();
    await office.close();
    expect(await transportTo(office.url).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'The mail server could not be reached.',
    });
  });

  it('is told as a refusal of this server’s name where a server does not take that', async () => {
    const picky = createServer((socket) => {
      socket.write('220 mail.example\r\n');
      socket.on('data', (bytes) => {
        const isName = /^(?:EHLO|HELO)/i.test(String(bytes));
        socket.write(isName ? '550 5.7.1 Helo command rejected\r\n' : '221 Bye\r\n');
      });
    });
    await once(picky.listen(0, '127.0.0.1'), 'listening');
    const url = `smtp://127.0.0.1:${(picky.address() as AddressInfo).port}`;
    expect(await transportTo(url).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'The mail server does not accept the name by which this server greets it, the host of PUBLIC_URL (550).',
    });
    picky.close();
  });

  it('tries nothing once its time is over', async () => {
    const office = await anOffice();
    const transport = transportTo(office.url, { deadline: () => AbortSignal.abort() });
    expect(await transport.send(aLetter(TO))).toMatchObject({ refused: 'for-now' });
    expect(office.received).toEqual([]);
  });
});

describe('the connection', () => {
  const login = { user: 'ann@vault.example', pass: 'p/a:s#s?w%rd' };

  it('logs in', async () => {
    const office = await anOffice('accepts', { login, tls: true });
    expect(await transportTo(office.url).send(aLetter(TO))).toBe('accepted');
    expect(office.received[0]).toMatchObject({ user: login.user, encrypted: true });
  });

  it('says that a password is wrong, for now, and does not repeat it', async () => {
    const office = await anOffice('accepts', { login });
    const url = office.url.replace(encodeURIComponent(login.pass), 'hunter2');
    const delivery = await transportTo(url).send(aLetter(TO));
    expect(delivery).toEqual({
      refused: 'for-now',
      why: 'The mail server refused this server’s user or password (535).',
    });
  });

  // 0.0.0.0 leads to this machine, but is not one of the names for it.
  it.each([
    ['no encryption', { tls: false }],
    ['a certificate that nobody has signed', { tls: true }],
  ])('is not made to another machine with %s, and the password stays here', async (_what, options) => {
    const office = await anOffice('accepts', { ...options, login, host: '0.0.0.0' });
    expect(await transportTo(office.url).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'The connection to the mail server could not be made safe.',
    });
    expect(office.connections()).toBe(1);
    expect(office.logins()).toBe(0);
    expect(office.received).toEqual([]);
  });
});
