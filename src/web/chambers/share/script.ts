// The whole script of a one-time link's document. It asks how the link stands and breaks its seal on a press; what only some
// links need is fetched for them alone. The build says where that is, in attributes of this script's own element.
import { loadStyles } from '../../load-styles.ts';
import { type LaterPart, openSharePage } from './screen.ts';

const { module = '', styles = '' } =
  document.querySelector<HTMLElement>('script[data-module]')?.dataset ?? {};

/** Fetched once; a fetch that has failed is tried again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

openSharePage({
  fetch: (...given) => fetch(...given),
  loadPart: once(() => import(/* @vite-ignore */ module) as Promise<LaterPart>),
  loadStyles: once(() => loadStyles(styles)),
});
