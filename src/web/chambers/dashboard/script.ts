// A script of the document that members get at "/", beneath what says that something is on its way: puts the desk in its place where
// the vault opens by itself (document.tsx), and begins the app. A desk is painted before that: its code would run first, and take its time.
import { hasStoredKey } from '../../vault/device/key-slot.ts';

/** How long a page that nobody sees waits, in milliseconds: it paints nothing. */
const AT_MOST = 200;

const app = document.currentScript?.dataset.app ?? '';
const begin = () => void import(/* @vite-ignore */ app);

const desk = document.querySelector<HTMLTemplateElement>('template[data-desk]');
if (desk && location.pathname === '/' && hasStoredKey()) {
  document.getElementById('root')?.replaceChildren(desk.content);
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, AT_MOST);
} else begin();
