// A stand-in for the vendor's script in browsers: a payment form of plain fields, cards that work, are declined, or whose bank
// asks, and the calls that the real one makes. Playwright serves it in the place of https://js.stripe.com.

/** Runs in the page. It is turned into text, so it uses nothing from outside. */
function standIn(): void {
  type Answer = { id?: string; status?: string; error?: { message: string } };
  const Stripe = (key: string) => {
    const ask = async (path: string, fields: Record<string, string>): Promise<Answer> => {
      const answer = await fetch(`https://api.stripe.com${path}`, {
        method: 'POST',
        body: new URLSearchParams({ key, ...fields }),
      });
      return answer.json() as Promise<Answer>;
    };
    let place: Element | null = null;

    /** What a bank shows over the page. */
    const askBank = (path: string, secret: string) =>
      new Promise<Answer>((resolve) => {
        const dialog = document.createElement('dialog');
        dialog.setAttribute('aria-label', 'Your bank');
        for (const [words, agrees] of [
          ['Complete', 'true'],
          ['Fail', 'false'],
        ] as const) {
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = words;
          button.onclick = async () => {
            dialog.remove();
            resolve(await ask(`${path}/answer_bank`, { client_secret: secret, agrees }));
          };
          dialog.append(button);
        }
        document.body.append(dialog);
        dialog.showModal();
      });

    return {
      elements: ({ clientSecret }: { clientSecret: string }) => ({
        clientSecret,
        create: () => {
          const handlers: Record<string, () => void> = {};
          return {
            on(event: string, handler: () => void) {
              handlers[event] = handler;
            },
            mount(target: Element) {
              place = target;
              const label = document.createElement('label');
              label.textContent = 'Card number ';
              const input = document.createElement('input');
              input.autocomplete = 'cc-number';
              label.append(input);
              target.replaceChildren(label);
              queueMicrotask(() => handlers.ready?.());
            },
          };
        },
      }),
      async confirmPayment({ elements }: { elements: { clientSecret: string } }) {
        const secret = elements.clientSecret;
        const path = `/v1/payment_intents/${secret.split('_secret_')[0]}`;
        const number = place?.querySelector('input')?.value ?? '';
        if (number.replace(/\s/g, '').length !== 16) {
          return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
        }
        let answer = await ask(`${path}/confirm`, {
          client_secret: secret,
          'payment_method_data[card][number]': number,
        });
        if (answer.status === 'requires_action') answer = await askBank(path, secret);
        return answer.error ? { error: answer.error } : { paymentIntent: answer };
      },
    };
  };
  Object.assign(window, { Stripe: Object.assign(Stripe, { version: 'endive' }) });
}

export const standInScript = `(${standIn.toString()})();`;
