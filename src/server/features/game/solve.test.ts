// The whole puzzle, as somebody solves it: with what the pages and files show, a terminal with GnuPG, and three friends
// among the holders. Nothing is taken from the puzzle's own file but, at the very end, what was to be found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decoded, type Revealed, SHADOW_SCROLL_FILE, scrollFiles } from '../../../shared/nouns/game.ts';
import type { Gathering, SignInInput } from '../../../shared/nouns/holders.ts';
import { openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import {
  hasOpenPgpPrograms,
  type OpenPgpPrograms,
  openPgpPrograms,
} from '../../../testing/openpgp-programs.ts';
import { aWallet, plantHolders, toyChain, type Wallet } from '../../../testing/wallets.ts';

describe.skipIf(!hasOpenPgpPrograms)('the puzzle', () => {
  let instance: TestInstance;
  let terminal: OpenPgpPrograms;
  const wallets = Array.from({ length: 14 }, () => aWallet());
  beforeAll(async () => {
    // GnuPG knows what time it is, and refuses what was signed later.
    instance = await openTestInstance({ deps: { holderSource: toyChain(), now: Date.now } });
    await plantHolders(
      instance,
      wallets.map(({ key }, index) => [key, 500 - index * 10]),
    );
    terminal = await openPgpPrograms();
  });
  afterAll(async () => {
    await terminal.remove();
    await instance.close();
  });

  async function download(path: string, name: string): Promise<string> {
    const response = await instance.request('GET', path);
    expect(response.status).toBe(200);
    const text = await response.text();
    terminal.put(name, text);
    return text;
  }
  async function post<T>(path: string, body: object): Promise<T> {
    const response = await instance.request('POST', path, { body });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as T;
  }
  const decode = (hexString: string) => post<Decoded>('/api/phase2/decode', { hexString });

  /** The artifact of a wallet, opened by its owner. */
  async function artifactOf(wallet: Wallet): Promise<string> {
    const asked = await instance.request('POST', '/api/holders/challenge', {
      body: { walletAddress: wallet.address },
    });
    const passphrase = 'aaaa-bbbb-cccc-dddd-eeee-ffff-gggg-2345';
    const taken = await instance.request('POST', '/api/holders/artifact', {
      body: { ...wallet.prove((await asked.json()) as SignInInput), passphrase },
    });
    expect(taken.status).toBe(200);
    terminal.put('artifact.asc', await taken.text());
    const opened = await terminal.gpgOpen('artifact.asc', passphrase);
    expect(opened.said).toContain('Good signature');
    return opened.out;
  }

  /** What one section of the manifesto says, read off the downloaded text. */
  const sectionOf = (text: string, numeral: string) =>
    (new RegExp(`\\n +${numeral}\\. [^\\n]*\\n([\\s\\S]*?)(?=\\n\\n\\n)`).exec(text)?.[1] ?? '').replace(
      /\s+/g,
      ' ',
    );

  const hexIn = (text: string) => (text.match(/^ +(?:[0-9a-f]{2})+$/gm) ?? []).join('').replaceAll(' ', '');

  it('is solved from the first hex string to the last scroll', async () => {
    // The files are downloaded and verified.
    const { text: plain, signature, publicKey } = scrollFiles;
    const manifesto = await download(`/api/black-scroll/${plain}`, plain);
    for (const name of [signature, publicKey]) await download(`/api/black-scroll/${name}`, name);
    await terminal.gpg('--import', publicKey);
    const verified = await terminal.gpg('--verify', '--verify-options', 'show-notations', signature, plain);
    expect(verified.said).toContain('Good signature');

    // "The seal has a notation, the notation has a number, sixteen is a base."
    const [, first = ''] = /^gpg: Signature notation: \S+=([0-9a-f]+)$/m.exec(verified.said) ?? [];
    const chamber = await decode(first);
    expect(chamber.unlocks).toEqual(['shadow_chamber_access']);
    expect(chamber.source).toBe(signature);

    // Seven riddles, a word from each section.
    const [, riddles = ''] = /in their order: (.*?)\. /.exec(chamber.hint ?? '') ?? [];
    expect(riddles.split('; ')).toHaveLength(7);
    const word = (numeral: string, answer: RegExp) => answer.exec(sectionOf(manifesto, numeral))?.[1];
    const words = [
      word('I', /(\w+) would be noticed/),
      word('II', /The last reading (\w+) the words/),
      word('III', /(\w+) is carved in stone/),
      word('IV', /belongs to (\w+)/),
      word('V', /The server (\w+) ciphertext and dates/),
      word('VI', /(\w+) cannot open what you lose the key to/),
      word('VII', /what somebody decided to (\w+)/),
    ];
    const revealed = await post<Revealed>('/api/phase2/verify', { phrase: words.join(' ') });

    // The file opens by the same words, and says the same.
    await download('/api/shadow-scroll', SHADOW_SCROLL_FILE);
    const opened = await terminal.gpgOpen(SHADOW_SCROLL_FILE, revealed.phrase);
    expect(opened.said).toContain('Good signature');
    expect(opened.out.replace(/\s+/g, ' ').trim()).toBe(revealed.text.replace(/\s+/g, ' ').trim());

    // The page or the file: both have the second hex string.
    expect(hexIn(opened.out)).toBe(hexIn(revealed.text));
    const scroll = await decode(hexIn(opened.out));
    expect(scroll.unlocks).toEqual(['shadow_scroll_002']);
    expect(scroll.source).toBe(SHADOW_SCROLL_FILE);
    expect(scroll.decoded).toContain('0x7');

    // The gathering names who has these positions; they are found, and each takes their artifact.
    const gathering = (await (await instance.request('GET', '/api/holders/check')).json()) as Gathering;
    const shares: string[] = [];
    for (const position of [1, 7, 13]) {
      const holder = gathering.holders.find(({ rank }) => rank === position);
      const wallet = wallets.find(({ address }) => address === holder?.address);
      if (wallet) shares.push(hexIn(await artifactOf(wallet)));
    }
    expect(shares).toHaveLength(3);
    expect(new Set(shares.map(({ length }) => length)).size).toBe(1);
    for (const share of shares) expect(await decode(share)).toMatchObject({ unlocks: [], phase: 0 });

    // "Lay them upon each other, byte by byte, by exclusive or."
    const [one, seven, thirteen] = shares.map((share) => Buffer.from(share, 'hex'));
    const together = one?.map((byte, at) => byte ^ (seven?.[at] ?? 0) ^ (thirteen?.[at] ?? 0));
    const last = await decode(Buffer.from(together ?? []).toString('hex'));
    expect(last.decoded).toContain('THE LAST SCROLL');
    expect(last.hint).toBe('Here the thread ends. Nothing more is locked.');

    // A terminal can do it too.
    const perl = 'print pack("H*", shift) ^ pack("H*", shift) ^ pack("H*", shift)';
    const { code, out } = await terminal.run('perl', '-e', perl, ...shares);
    if (code === 0) expect(out).toBe(last.decoded);
  });

  it('gives shares to no other position', async () => {
    for (const index of [1, 5, 7, 11, 13]) {
      const artifact = await artifactOf(wallets[index] as Wallet);
      expect(artifact).not.toContain('A SHARE OF THE SCROLL');
      expect(hexIn(artifact)).toBe('');
    }
  });
});
