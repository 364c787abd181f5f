// A wallet with a real Ed25519 key, as an extension would put it into a page. One function that refers to nothing outside
// itself, so that a browser test can send it into its page before the app comes (`page.addInitScript(installTestWallet, …)`).

export interface TestWalletOptions {
  /** 32 numbers: the secret key. */
  seed: number[];
  name?: string;
  /** How it makes itself known. */
  kind?: 'standard' | 'legacy';
  features?: ('signIn' | 'signMessage')[];
  /** Its owner says no to everything. */
  rejects?: boolean;
  /** It adds something of its own to each signature, as hedged signatures do. */
  isUnsteady?: boolean;
  /** It words what it signs in its own way when it signs in. */
  rewords?: boolean;
  /** It cannot be told to disconnect, and tells of no change. Of the standard kind alone. */
  isDeaf?: boolean;
}

export interface TestWallet {
  /** What it was asked for. */
  log: string[];
  rejects: boolean;
  /** Resolves to its address. */
  address: Promise<string>;
  /** Its owner takes the address away in the wallet itself. */
  disconnect(): void;
  /** Another key from now on, as if its owner had chosen another account. */
  switchTo(seed: number[]): Promise<string>;
  /** Uninstalls it. */
  remove(): void;
}

/** Installs it in this window, and leaves it at `window.testWallets` by its name. */
export function installTestWallet(options: TestWalletOptions): TestWallet {
  const {
    name = 'Test Wallet',
    kind = 'standard',
    features = ['signIn', 'signMessage'],
    isUnsteady = false,
    rewords = false,
    isDeaf = false,
  } = options;

  type Bytes = Uint8Array<ArrayBuffer>;
  interface Key {
    secret: CryptoKey;
    publicKey: Bytes;
    address: string;
  }

  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  function base58(bytes: Uint8Array): string {
    let number = 0n;
    for (const byte of bytes) number = (number << 8n) | BigInt(byte);
    let text = '';
    for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
    const zeros = bytes.findIndex((byte) => byte !== 0);
    return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
  }

  async function keyOf(seed: number[]): Promise<Key> {
    // PKCS #8 around a seed (RFC 8410, section 7).
    const head = [
      0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ];
    const pkcs8 = new Uint8Array([...head, ...seed]);
    const secret = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
    const { x = '' } = await crypto.subtle.exportKey('jwk', secret);
    const publicKey = Uint8Array.from(atob(x.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    return { secret, publicKey, address: base58(publicKey) };
  }

  let key = keyOf(options.seed);
  let signatures = 0;
  const wallet: TestWallet = {
    log: [],
    rejects: options.rejects ?? false,
    address: key.then(({ address }) => address),
    disconnect: () => {},
    switchTo: async () => '',
    remove: () => {},
  };

  function mayRefuse(): void {
    if (!wallet.rejects) return;
    throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
  }

  async function sign(message: Uint8Array): Promise<Bytes> {
    const { secret } = await key;
    const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', secret, new Uint8Array(message)));
    signatures += 1;
    // No signature of this message any more; what counts is that two of them differ.
    if (isUnsteady) signature[40] = ((signature[40] ?? 0) + signatures) % 256;
    return signature;
  }

  /** The message of Sign-In With Solana (phantom/sign-in-with-solana). */
  function signInMessage(input: Record<string, string | undefined>): string {
    const fields = [
      ['URI', input.uri],
      ['Version', input.version],
      ['Chain ID', input.chainId],
      ['Nonce', input.nonce],
      ['Issued At', input.issuedAt],
      ['Expiration Time', input.expirationTime],
    ].flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]));
    const head = `${input.domain} wants you to sign in with your Solana account:\n${input.address}`;
    return [head, ...(input.statement ? [input.statement] : []), fields.join('\n')].join(
      rewords ? '\n \n' : '\n\n',
    );
  }

  function installStandard(): void {
    interface Account {
      address: string;
      publicKey: Bytes;
      chains: string[];
      features: string[];
    }
    const chains = ['solana:mainnet', 'solana:devnet', 'solana:localnet'];
    const listeners = new Set<(change: object) => void>();
    let accounts: Account[] = [];
    function setAccounts(next: Account[]): void {
      accounts = next;
      for (const listener of listeners) listener({ accounts });
    }
    async function account(): Promise<Account> {
      const { address, publicKey } = await key;
      return { address, publicKey, chains, features: features.map((feature) => `solana:${feature}`) };
    }
    const offered: Record<string, object> = {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          wallet.log.push('connect');
          mayRefuse();
          if (accounts.length === 0) setAccounts([await account()]);
          return { accounts };
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        async disconnect() {
          wallet.log.push('disconnect');
          setAccounts([]);
        },
      },
      'standard:events': {
        version: '1.0.0',
        on(_event: string, listener: (change: object) => void) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    };
    if (isDeaf) {
      delete offered['standard:disconnect'];
      delete offered['standard:events'];
    }
    if (features.includes('signMessage')) {
      offered['solana:signMessage'] = {
        version: '1.1.0',
        async signMessage(...inputs: { message: Uint8Array }[]) {
          wallet.log.push('signMessage');
          mayRefuse();
          return Promise.all(
            inputs.map(async ({ message }) => ({ signedMessage: message, signature: await sign(message) })),
          );
        },
      };
    }
    if (features.includes('signIn')) {
      offered['solana:signIn'] = {
        version: '1.0.0',
        async signIn(input: Record<string, string>) {
          wallet.log.push('signIn');
          mayRefuse();
          const signedMessage = new TextEncoder().encode(signInMessage(input));
          return [{ account: await account(), signedMessage, signature: await sign(signedMessage) }];
        },
      };
    }
    const registered = {
      version: '1.0.0',
      name,
      icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
      chains,
      features: offered,
      get accounts() {
        return accounts;
      },
    };
    wallet.disconnect = () => setAccounts([]);
    wallet.switchTo = async (seed) => {
      key = keyOf(seed);
      const { address } = await key;
      setAccounts([await account()]);
      return address;
    };
    // The two events by which a wallet makes itself known (@wallet-standard/wallet, registerWallet).
    const register = (api: { register(wallet: object): () => void }) => {
      wallet.remove = api.register(registered);
    };
    window.addEventListener('wallet-standard:app-ready', (event) =>
      register((event as Event & { detail: Parameters<typeof register>[0] }).detail),
    );
    window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: register }));
  }

  function installLegacy(): void {
    const listeners = new Map<string, Set<() => void>>();
    const emit = (event: string) => {
      for (const listener of listeners.get(event) ?? []) listener();
    };
    let shown: Key | null = null;
    const provider = {
      isPhantom: true,
      get publicKey() {
        const { address } = shown ?? {};
        return address === undefined ? null : { toString: () => address };
      },
      async connect() {
        wallet.log.push('connect');
        mayRefuse();
        shown = await key;
        emit('connect');
        return { publicKey: provider.publicKey };
      },
      async disconnect() {
        wallet.log.push('disconnect');
        shown = null;
        emit('disconnect');
      },
      async signMessage(message: Uint8Array) {
        wallet.log.push('signMessage');
        mayRefuse();
        return { signature: await sign(message), publicKey: provider.publicKey };
      },
      on: (event: string, listener: () => void) =>
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      off: (event: string, listener: () => void) => listeners.get(event)?.delete(listener),
    };
    const place = window as { solana?: unknown };
    place.solana = provider;
    wallet.disconnect = () => {
      shown = null;
      emit('disconnect');
    };
    wallet.switchTo = async (seed) => {
      key = keyOf(seed);
      shown = await key;
      emit('accountChanged');
      return shown.address;
    };
    wallet.remove = () => {
      delete place.solana;
    };
  }

  if (kind === 'standard') installStandard();
  else installLegacy();
  const place = window as { testWallets?: Record<string, TestWallet> };
  place.testWallets = { ...place.testWallets, [name]: wallet };
  return wallet;
}
