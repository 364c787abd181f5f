/** Where the page and the server of a web test stand: the address of every test server without a PUBLIC_URL. */
export const ORIGIN = 'http://localhost:3000';
