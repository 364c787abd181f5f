// A script of the app's document, which stands beneath what says that something is on its way: puts the desk in its place where the
// vault opens by itself (document.tsx).
import { hasStoredKey } from '../../vault/device/key-slot.ts';

const desk = document.querySelector<HTMLTemplateElement>('template[data-desk]');
if (desk && location.pathname === '/' && hasStoredKey())
  document.getElementById('root')?.replaceChildren(desk.content);
