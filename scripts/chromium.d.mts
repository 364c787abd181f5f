export const CHROMIUM_FLAGS: string[];
export const VIRTUAL_AUTHENTICATOR: {
  protocol: 'ctap2';
  ctap2Version: 'ctap2_1';
  transport: 'internal';
  hasResidentKey: true;
  hasUserVerification: true;
  isUserVerified: true;
  automaticPresenceSimulation: true;
  hasPrf: true;
};
