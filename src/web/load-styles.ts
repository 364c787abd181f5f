// A page that was rendered ahead of time has the styles of what it shows; what comes later brings its own.

/** @throws Error when they cannot be fetched */
export function loadStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error('the styles of this page could not be fetched'));
    };
    document.head.append(link);
  });
}
