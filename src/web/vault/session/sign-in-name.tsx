// The name that a passphrase is asked for. It is shown because the passphrase is stretched with it: a server that named
// another one would be seen. Password managers find it here as well.
export function SignInName({ name }: { name: string }) {
  return (
    <p className="w-full text-left text-dust">
      Your name here: <span className="text-bone wrap-anywhere">{name}</span>
      <input hidden readOnly autoComplete="username" value={name} aria-hidden="true" tabIndex={-1} />
    </p>
  );
}
