// Renders the documents that need no app: markup alone, no script, no style attribute. Built for Node by the build
// script, which adds styles and fonts; it must not read the clock, the network or the environment.
import { renderToStaticMarkup } from 'react-dom/server';
import { InsecureOriginDocument } from './chambers/insecure-origin/page.tsx';
import { LandingPage } from './chambers/landing/page.tsx';
import { NotFoundDocument } from './chambers/not-found/page.tsx';

interface Page {
  file: string;
  title: string;
  description: string;
  /** Whether search engines may list it. */
  listed: boolean;
  body: React.ReactNode;
}

const pages: Page[] = [
  {
    file: 'landing.html',
    title: 'Latebra: Sacred Memory',
    description:
      'A private vault for what should outlive you. Sealed in your browser, unreadable to the server that keeps it. No e-mail, no sign-up.',
    listed: true,
    body: <LandingPage />,
  },
  {
    file: 'not-found.html',
    title: '404: no such chamber · Latebra',
    description: 'There is no such chamber on this server.',
    listed: false,
    body: <NotFoundDocument />,
  },
  {
    file: 'insecure-origin.html',
    title: 'This door needs https · Latebra',
    description: 'Why this vault does not open over plain http, and how to put it right.',
    listed: false,
    body: <InsecureOriginDocument />,
  },
];

/** Where the build puts what only it knows. */
export interface Assets {
  icon: string;
  /** Fonts of the first view, fetched before the markup has been read. */
  preload: string[];
  css: string;
}

/** The bodies alone: what the build reads to learn which styles and letters a document uses. */
export function renderBodies(): { file: string; markup: string }[] {
  return pages.map(({ file, body }) => ({ file, markup: renderToStaticMarkup(body) }));
}

/** One whole document. */
export function renderDocument(file: string, assets: Assets): string {
  const page = pages.find((candidate) => candidate.file === file);
  if (!page) throw new Error(`no document is called ${file}`);
  const markup = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        <meta name="theme-color" content="#0a0806" />
        <meta name="color-scheme" content="dark" />
        {!page.listed && <meta name="robots" content="noindex" />}
        {page.listed && <meta property="og:title" content={page.title} />}
        {page.listed && <meta property="og:description" content={page.description} />}
        {assets.preload.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, written by the build, admitted by its hash */}
        <style dangerouslySetInnerHTML={{ __html: assets.css }} />
      </head>
      <body>{page.body}</body>
    </html>,
  );
  return `<!doctype html>${markup}\n`;
}
