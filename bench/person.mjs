// Somebody who comes in through the first door and answers, for measurements that need a vault.

export async function addAuthenticator(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    },
  });
}

export async function becomeResident(page, url) {
  await page.goto(`${url}/enter`);
  await page.getByRole('button', { name: 'First time here' }).click();
  await page.getByRole('button', { name: 'Begin with a passkey' }).click();
  for (const button of ['Continue', 'Continue', 'Enter the Vault']) {
    await page.getByRole('textbox').fill('An answer');
    await page.getByRole('button', { name: button }).click();
  }
  await page.getByRole('heading', { name: 'The chambers' }).waitFor();
}
