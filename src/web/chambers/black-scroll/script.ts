// The whole script of the black scroll's document. It fetches what brings the islands to life when somebody comes near
// one, and repeats the press that was made before that was there. The build says where it is, in attributes of this
// script's own element.
type Islands = typeof import('./islands.tsx');

let mounting: Promise<void> | undefined;
let isMounted = false;

async function fetchIslands(): Promise<void> {
  const { module = '', styles = '' } =
    document.querySelector<HTMLElement>('script[data-module]')?.dataset ?? {};
  const { mountIslands } = (await import(/* @vite-ignore */ module)) as Islands;
  await mountIslands(styles);
  isMounted = true;
}

function mount(): Promise<void> {
  mounting ??= fetchIslands().catch(() => {
    // The next approach tries again.
    mounting = undefined;
  });
  return mounting;
}

const islandAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-island]') : null;

for (const approach of ['pointerover', 'touchstart', 'focusin']) {
  document.addEventListener(approach, ({ target }) => islandAt(target) && void mount(), { passive: true });
}

document.addEventListener('click', async ({ target }) => {
  const island = islandAt(target);
  const button = target instanceof Element ? target.closest('button') : null;
  if (isMounted || !island || !button) return;
  const words = button.textContent;
  await mount();
  if (isMounted) [...island.querySelectorAll('button')].find((same) => same.textContent === words)?.click();
  else button.textContent = `${words.replace(/ \(.*/, '')} (not loaded, try again)`;
});

// What is said of who hears a recording should stand there before anybody reaches it.
const near = new IntersectionObserver(
  (entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    near.disconnect();
    void mount();
  },
  { rootMargin: '50%' },
);
const transcription = document.querySelector('[data-island="transcription"]');
if (transcription) near.observe(transcription);
