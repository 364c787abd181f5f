// A document has one title. React puts that of a screen beside the document's own, which stands while there is none.

/**
 * Takes the document's own title away while a screen has one, and puts it back in between.
 * @param own the document's own title: React takes the others away itself, and fails where they are gone
 * @returns what ends that
 */
export function keepOneTitle(own: HTMLTitleElement): () => void {
  const { head } = own.ownerDocument;
  const settle = () => {
    const others = [...head.querySelectorAll('title')].filter((title) => title !== own);
    if (others.length > 0) own.remove();
    else if (!own.isConnected) head.append(own);
  };
  const watch = new MutationObserver(settle);
  watch.observe(head, { childList: true });
  settle();
  return () => watch.disconnect();
}
