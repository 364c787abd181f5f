// The app's document as visitors get it at two paths that members share: with a title and a description of its own, and
// a mark by which the app knows that nobody has signed in, so that it need not ask and be refused.

const pages = {
  'thirteen-holders.html': {
    title: 'The thirteen · Latebra',
    description:
      'The gathering of the thirteen: how many holders have come, who they are by rank, and what opens when every place is taken.',
    listed: true,
  },
  'whisper.html': {
    title: 'The whisper · Latebra',
    description: 'A whisper to listen to, and a recording of yours to have written down.',
    listed: false,
  },
};

/**
 * @param {string} app the app's document
 * @returns {[file: string, page: string][]}
 */
export function visitorDocuments(app) {
  return Object.entries(pages).map(([file, { title, description, listed }]) => {
    const tag = `<meta name="description" content="${description}">`;
    const page = [
      ['<html lang="en">', '<html lang="en" data-visitor>'],
      [
        '<meta name="robots" content="noindex">',
        listed ? tag : `${tag}\n    <meta name="robots" content="noindex">`,
      ],
      ['<title>Latebra</title>', `<title>${title}</title>`],
    ].reduce((text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`the app’s document has not exactly one ${from}`);
      return text.replace(from, to);
    }, app);
    return [file, page];
  });
}
