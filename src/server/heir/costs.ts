// What has to be paid for and kept so that a server goes on. The program knows what it uses, and neither whose account
// that is nor until when it is paid: these are blanks.
import { isLoopback } from '../config/readers.ts';
import type { Block } from './blocks.ts';
import type { Facts } from './facts.ts';

interface Item {
  name: string;
  text: string;
  blanks: string[];
}

const ACCOUNT = [
  'Company',
  'Account or customer number',
  'Paid until, and from which bank account',
  'Who can sign in there',
];

export function costs(facts: Facts): Block[] {
  const items = [domain(facts), machine(), mail(facts), ...others(facts)].filter((item) => item !== null);
  return items.flatMap(({ name, text, blanks }): Block[] => [
    { kind: 'subheading', text: name },
    { kind: 'text', text },
    ...(blanks.length > 0 ? [{ kind: 'blanks' as const, labels: blanks }] : []),
  ]);
}

function domain({ domain, payments, mail, hasHttps, way }: Facts): Item | null {
  if (domain === null) {
    return {
      name: 'The address',
      text: 'This server has no name on the internet that has to be paid for.',
      blanks: [],
    };
  }
  const also = [payments?.secondHost, mail?.domain].filter(
    (name): name is string => typeof name === 'string' && !isUnder(name, domain) && !isUnder(domain, name),
  );
  const certificate = hasHttps
    ? ` The certificate, which browsers show as a lock, ${way.kind === 'container' ? 'is renewed by itself' : 'is most often renewed by itself'} and free of charge, as long as the name leads here.`
    : '';
  return {
    name: `The name ${domain}`,
    text: `A name is rented, mostly by the year, from a company. Often only its end was rented: of letters.example.org, that would be example.org. When that ends, nobody gets in any more, and somebody else may take the name. This program cannot know when it ends. Where to look: the mails and invoices of that company; or lookup.icann.org on the internet, where you type the name and read the line “Registry Expiration”; for names of a country, the page of that country’s registry.${also.length > 0 ? ` Also needed, and rented in the same way: ${[...new Set(also)].join(', ')}.` : ''}${certificate}`,
    blanks: ['The name ends on', ...ACCOUNT],
  };
}

const isUnder = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`);

const machine = (): Item => ({
  name: 'The machine',
  text: 'If it is rented, its company deletes it some time after the last payment, with everything in it. If it stands in a home, it needs that home’s electricity and connection to the internet: tell whoever ends those contracts.',
  blanks: ACCOUNT,
});

function mail({ mail }: Facts): Item {
  if (!mail) {
    return {
      name: 'Mail',
      text: 'This server has no mail service. What it writes waits for its administrator (section 10).',
      blanks: [],
    };
  }
  return {
    name: 'The mail service',
    text: `Warnings to writers and news of letters leave through ${mail.host}, from the mailbox ${mail.from}. Without it nobody is warned and no recipient is told. If its password is changed, the new one has to stand in the setting SMTP_URL. Answers and complaints come to that mailbox: somebody should read it.`,
    blanks: ACCOUNT,
  };
}

function others(facts: Facts): Item[] {
  const {
    sendsTexts,
    payments,
    postgres,
    signInHost,
    modelHost,
    speechHost,
    readsChain,
    isWatched,
    reportsTo,
  } = facts;
  const items: (Item | null)[] = [
    sendsTexts
      ? {
          name: 'Text messages',
          text: 'They are sent through Twilio (twilio.com), which takes the money from an account that has to be filled. When it is empty, text messages wait.',
          blanks: ACCOUNT,
        }
      : null,
    payments && {
      name: 'Payments by those who use it',
      text: 'People pay for a plan here by card, through Stripe (stripe.com). The money goes on arriving at the account of the person who ran this server, and so do refunds and taxes. Ask whoever settles their affairs. To end it, end all subscriptions at Stripe first, then take away CHECKOUT_ORIGIN and the settings that begin with STRIPE_ (section 6): everything then stays open to everybody.',
      blanks: ACCOUNT,
    },
    postgres && {
      name: 'The database',
      text: `The data are in PostgreSQL${postgres.place ? `, on ${postgres.place.host}` : ''}. If that is another machine or a rented service, it has to be paid as well, and holds what matters.`,
      blanks: ACCOUNT,
    },
    remote(signInHost, (host) => ({
      name: 'Signing in',
      text: `People sign in here through ${host}. If that ends, they do not get in that way. Your helper can take away the setting OIDC_ISSUER: the other ways that people have set up then work.`,
      blanks: ACCOUNT,
    })),
    remote(modelHost, (host) => ({
      name: 'Stories by a language model',
      text: `A service at ${host} writes them and may cost money. It can end without harm: take away the settings that begin with LLM_.`,
      blanks: ACCOUNT,
    })),
    remote(speechHost, (host) => ({
      name: 'Speech into text',
      text: `A service at ${host} does it and may cost money. It can end without harm: take away the settings that begin with STT_.`,
      blanks: ACCOUNT,
    })),
    readsChain
      ? {
          name: 'The list of token holders',
          text: 'It is read through the service in the setting SOLANA_RPC_URL, which may cost money. It can end without harm to vaults and letters.',
          blanks: ACCOUNT,
        }
      : null,
    isWatched
      ? {
          name: 'The alarm',
          text: 'A service outside (the setting WATCHDOG_URL) notices when this server stops, and tells somebody. Make sure that it tells somebody who is alive.',
          blanks: [...ACCOUNT, 'Whom it tells'],
        }
      : null,
    reportsTo === null
      ? null
      : {
          name: 'Reports of weaknesses',
          text: `Strangers who find one are told to write to ${reportsTo}. Somebody should read it, or the setting SECURITY_CONTACT be changed.`,
          blanks: [],
        },
  ];
  return items.filter((item) => item !== null);
}

/** Nothing is paid for a service on this machine. */
const remote = (host: string | null, item: (host: string) => Item): Item | null =>
  host === null || isLoopback(host) ? null : item(host);
