// Renders the documents that need no app: markup, no inline script, no style attribute. Built for Node by the build
// script, which adds styles and fonts; it must not read the clock, the network or the environment.
import { renderToStaticMarkup } from 'react-dom/server';
import { GATHERING_THRESHOLD } from '../shared/nouns/holders.ts';
import { createServices } from './api/services.tsx';
import { BlackScrollDocument } from './chambers/black-scroll/document.tsx';
import { DeskBeforeApp } from './chambers/dashboard/document.tsx';
import { GateDocument } from './chambers/gate/document.tsx';
import { HelpDocument } from './chambers/help/document.tsx';
import { InsecureOriginDocument } from './chambers/insecure-origin/page.tsx';
import { LandingPage } from './chambers/landing/page.tsx';
import { NotFoundDocument } from './chambers/not-found/page.tsx';
import { PaymentDocument } from './chambers/pay/document.tsx';
import { PrivacyDocument } from './chambers/privacy/document.tsx';
import { ShareDocument } from './chambers/share/document.tsx';

interface Page {
  file: string;
  /** The stylesheet, which documents of one kind share. */
  sheet: string;
  title: string;
  description: string;
  /** Whether search engines may list it. */
  listed: boolean;
  /** Whether it loads a script. */
  scripted: boolean;
  /** Whether its first view has something to press that the script alone can answer. */
  pressed?: true;
  /** A long text, whose letters are cut into fonts of its own. */
  long?: true;
  /** Whether it looks as somebody has chosen, because the app comes into it. */
  themed?: true;
  body: React.ReactNode;
}

/** For what is alive only in a browser. */
const services = createServices();

const landing = (file: string, gathered: number | null): Page => ({
  file,
  sheet: 'landing',
  title: 'Latebra: Sacred Memory',
  description:
    'A private vault for diaries, letters for later and words for one person. Sealed in your browser, unreadable to the server that keeps it. No e-mail, no sign-up.',
  listed: true,
  scripted: true,
  body: <LandingPage gathered={gathered} />,
});

/** The server picks the landing page that shows how many have gathered, so that no script has to. */
const pages: Page[] = [
  landing('landing.html', null),
  ...Array.from({ length: GATHERING_THRESHOLD + 1 }, (_, count) => landing(`landing-${count}.html`, count)),
  {
    file: 'black-scroll.html',
    sheet: 'black-scroll',
    title: 'The black scroll · Latebra',
    description:
      'The manifesto of Latebra, in seven sections: why it was built, how it is kept, and what it cannot do. Signed with OpenPGP, to be read and to be verified.',
    listed: true,
    scripted: true,
    body: <BlackScrollDocument services={services} />,
  },
  {
    file: 'help.html',
    sheet: 'help',
    title: 'Help · Latebra',
    description:
      'How to write, lock, share and leave letters in a Latebra, how to come back to it on another device, and how a family uses one.',
    listed: true,
    scripted: false,
    themed: true,
    long: true,
    body: <HelpDocument />,
  },
  {
    file: 'privacy.html',
    sheet: 'privacy',
    title: 'Privacy · Latebra',
    description: 'What the server of a Latebra can see, what it cannot, and who else hears anything.',
    listed: true,
    scripted: false,
    themed: true,
    long: true,
    body: <PrivacyDocument />,
  },
  {
    file: 'share.html',
    sheet: 'share',
    scripted: true,
    pressed: true,
    title: 'A one-time link · Latebra',
    description: 'Words that somebody left under a link which opens once.',
    listed: false,
    body: <ShareDocument />,
  },
  {
    file: 'enter.html',
    sheet: 'gate',
    scripted: true,
    pressed: true,
    themed: true,
    title: 'The gate · Latebra',
    description: 'The way into a vault on this server, by a passkey, a passphrase or twenty-four words.',
    listed: false,
    body: <GateDocument />,
  },
  {
    file: 'not-found.html',
    sheet: 'not-found',
    scripted: false,
    title: '404: no such chamber · Latebra',
    description: 'There is no such chamber on this server.',
    listed: false,
    body: <NotFoundDocument />,
  },
  {
    file: 'insecure-origin.html',
    sheet: 'insecure-origin',
    scripted: false,
    title: 'This page needs https · Latebra',
    description: 'Why this vault does not open over plain http, and how to put it right.',
    listed: false,
    body: <InsecureOriginDocument />,
  },
  {
    file: 'pay.html',
    sheet: 'pay',
    scripted: true,
    title: 'Enhanced Vault · Latebra',
    description: 'Where the Enhanced plan of a vault is paid for.',
    listed: false,
    body: <PaymentDocument />,
  },
];

/** Where the build puts what only it knows. */
export interface Assets {
  icon: string;
  /** Fonts of the first view, fetched before the markup has been read. */
  preload: string[];
  css: string;
  /** The script of a page that has one, and what it fetches later. */
  /** The script that shows the chosen look before the first paint. */
  look: string;
  script?: { script: string; module?: string; styles?: string; later?: string } | undefined;
}

function render(node: React.ReactNode): string {
  const markup = renderToStaticMarkup(node);
  // Queries that nobody answered would keep the build waiting until they are forgotten.
  services.queryClient.clear();
  return markup;
}

/** The bodies alone: what the build reads to learn which styles and letters a document uses. */
interface Body {
  file: string;
  sheet: string;
  themed: boolean;
  long: boolean;
  markup: string;
}
export function renderBodies(): Body[] {
  return pages.map(({ file, sheet, themed = false, long = false, body }) => ({
    file,
    sheet,
    themed,
    long,
    markup: render(body),
  }));
}

/** What the app's document shows of the desk before the app has come. */
export const renderDesk = (): string => render(<DeskBeforeApp />);

/** One whole document. */
export function renderDocument(file: string, assets: Assets): string {
  const page = pages.find((candidate) => candidate.file === file);
  if (!page) throw new Error(`no document is called ${file}`);
  const markup = render(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        <meta name="theme-color" content="#0a0806" />
        <meta name="color-scheme" content="dark" />
        {page.themed && <script src={assets.look} />}
        {!page.listed && <meta name="robots" content="noindex" />}
        {page.listed && <meta property="og:title" content={page.title} />}
        {page.listed && <meta property="og:description" content={page.description} />}
        {assets.preload.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, written by the build, admitted by its hash */}
        <style dangerouslySetInnerHTML={{ __html: assets.css }} />
        {page.scripted && assets.script && (
          <script
            type="module"
            src={assets.script.script}
            // It is there before anybody can press what it answers. (Browsers that cannot wait show the button as it is.)
            blocking={page.pressed ? 'render' : undefined}
            data-module={assets.script.module}
            data-styles={assets.script.styles}
            data-later={assets.script.later}
          />
        )}
      </head>
      <body>{page.body}</body>
    </html>,
  );
  return `<!doctype html>${markup}\n`;
}
