// How tests and measurements run Chromium: without a sandbox (containers have none) and without calling home.

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A passkey authenticator built into the machine: it verifies its user, keeps passkeys, and PRF secrets with them. */
export const VIRTUAL_AUTHENTICATOR = /** @type {const} */ ({
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  hasPrf: true,
});
