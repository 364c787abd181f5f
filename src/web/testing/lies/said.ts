// The sentences by which this app refuses an answer, or says at an entry that something is wrong with it. The lists are
// closed: what is not in them counts as believed, so that a sentence which only sounds like an error excuses no lie.

/** Of what says that a page still waits for an answer: it shows nothing in its place, and says so. */
export const WAITING =
  /^(Fetching|Opening|Asking for|Counting|One moment|Looking|Finding|Making|Searching|Reading)/;

/** Of alerts and notifications, each as a whole: an answer was not taken, or did not come. */
export const REFUSALS: readonly RegExp[] = [
  WAITING,
  /^busy$/,
  /Is it still you\?/,
  /Something went wrong( here)?\. Please try again\./,
  /^This could not be fetched/,
  /The server does not answer/,
  /could not be fetched/,
  /^Failed to (Seal|Read|Record|Release|Create|Open|Activate|Disarm|Change|Restore|Export)/,
  /^Export Failed/,
  /^Failed to Generate/,
  /^Not Restored/,
  /^Prove once more that it is you\./,
  /^Your session has ended\. Sign in again in another tab, then try again here\.$/,
  /^This did not reach the server/,
  /^The server could not be reached\./,
  /^What you keep could not be counted/,
  /The server shows (another|no|an older) key/,
  /The scroll did not open/,
  /These words could not be opened/,
  /^The server names one key for your vault and keeps another\./,
  /^Another account has signed in to this browser meanwhile\./,
  /^Stop\. What this server keeps of your key does not match/,
  /The server asks for a weaker protection/,
  /^The server asks for another protection of the passphrase/,
  /^These words signed you in, so the server knows their key/,
  /The server answered /,
  /^What this server sent of your key is damaged, /,
  /^That passphrase does not open what this server sent of your key\./,
];

/** Of the headings of pages that are nothing but a refusal: every word of such a page belongs to it. */
export const REFUSING_PAGES: readonly RegExp[] = [
  /^The server shows (another|no|an older) key$/,
  /^The server does not answer$/,
  /^The scroll did not open$/,
  /^These words could not be opened$/,
];

/** Of texts beside, or in place of, what could not be believed. */
export const FINDINGS: readonly RegExp[] = [
  /^Unreadable with this key$/,
  /^Failed to Decrypt/,
  /^Unable to decrypt this /,
  /^Not sealed\.( |$)/,
  /^This whisper cannot be read\./,
  /^Your answers cannot be opened\./,
  /^What the server sent does not open with this /,
  /^The words have come and could not be opened: /,
  /could not be found out just now\.$/,
  /^What has gathered cannot be seen just now\./,
  /^The state of the switch could not be fetched$/,
  // What is asked for beside a form, and has not come.
  /^Looking for your warning address\.$/,
  /^Still looking for the vault\.$/,
  // Of an export, before it is made, where it names what does not open.
  /^Could not be opened: (memory|relationship|myth) \d+ of \S+$/,
  /^The three answers could not be opened$/,
  /^This vault has a key that the key before did not vouch for$/,
  /^The server answered with keys that do not belong to this address\./,
  /^Changed on the server$/,
  /^Its words are withheld$/,
  /^See what was changed$/,
  /^This (memory|moment|myth|entry) was changed on the server/,
  /^A letter that was changed$/,
  /^The server says that it has more of this file than was sent from here\./,
  // The button of a form, in the place of its own words.
  /^Waits for \d+ files?$/,
  /The server now says: /,
  /^The server shows (an older )?version /,
  /^The server has put parts of two versions together/,
  /arrived from outside/i,
];

/** Of what says of an entry that it was changed, or does not open: whatever stands beside it in the same row or dialog is said to be wrong. */
export const CHANGED_ENTRY =
  /changed on the server|See what was changed|The server now says: |Unreadable with this key|Unable to decrypt this /i;

/** Of the line that stands on every page, and of the heading of the book's own, when something is not as the book has it. */
export const BOOK_FINDINGS: readonly RegExp[] = [
  /^This server shows an older state of your vault than this browser has seen\.$/,
  /^This server shows another history of your vault than this browser has seen\.$/,
  /^The list of changes that this server shows of your vault was altered or damaged\.$/,
  /^This server does not show \d+ entr(y|ies) that your vault’s book has\.$/,
  /^This server shows something that your vault’s book does not have\.$/,
  /^This server did not show your vault’s book just now, so what it shows could not be compared with it\.$/,
  /^This server did not show the book just now\.$/,
  /^\d+ findings?(, about the book itself)?$/,
];

/** Of the lines that a saved archive has in its README where something was wrong when it was made, or does not open. */
export const FILE_FINDING =
  /^README\.md: (Something was wrong when this was made: |- Could not be opened: |- The three answers could not be opened)/;

/** Of texts that stand beside those and claim nothing by themselves. */
export const COMPANIONS: readonly RegExp[] = [
  /^\W*$/,
  // Why a change was not sealed, where the server has truly refused it, and what was there instead could not be shown.
  /^This entry was changed elsewhere since you opened it\.$/,
  /^Prove once more that it is you\./,
  /^Your session has ended\. Sign in again in another tab, then try again here\.$/,
  /^(Try again|Trying|Ask again|Asking|Look again|Looking|Show the list|Dismiss|Opening|disabled|aria-label: (Dismiss|Close))$/,
  /^(aria-label: Delete )?.{0,40}\ban unreadable (memory|moment|myth|key|letter|person|webhook)”?$/,
  // A final breath that was released and did not open.
  /^(Final Breath|Released, and not yet read|Show its words|Fetching)$/,
  /^It was released, and its words have not been shown here\./,
  // How much goes into an export, beside the names of what does not.
  /^\d+ (memory|memories), \d+ moments? with people\b.*\.$/,
  /^\d+ things? stays? behind, and will be named in the export$/,
  /^(A memory|A myth) without a title$/,
  /^(aria-label: Delete )?a (memory|moment|myth|letter) that was changed$/i,
  /^Open as it was sealed$/,
  /^Your browser seals these facts together with the text, /,
  /^An error of the server can be the cause, or its administrator\. /,
  /^once it is open, it is stored again as you see it\.$/,
  /^(memory|moment|myth)$/,
  // The headings of what could not be fetched.
  /^The Threshold Awaits$/,
  /^What this server does by itself\.$/,
  /^Somebody whose name cannot be read$/,
  /^This page does not know whether it is working\.$/,
  /^aria-invalid: true$/,
  /^href: \/(book)?$/,
  /^See (what|the book)$/,
  /^A whisper$/,
  /^What your plan allows, and what is used of it\./,
  /^Recovery: your ways back$/,
  /^Something went wrong( here)?\. Please try again\.$/,
  /^There is nothing here\.$/,
  /^The server answered with (another entry|something else|a list) .*\.$/,
  // A file that has not been sent, which the form waits for.
  /^\d+ bytes( · Being read, \d+%)?$/,
  /^(Pause|Go on|aria-label: (Pause|Go on with) .*)$/,
  /^aria-label: Plan\.txt$/,
];
