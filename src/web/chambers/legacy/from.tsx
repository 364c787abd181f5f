// Who a letter is from, as its author wants to be called.

export function From({ name }: { name: string }) {
  return (
    <p dir="auto" className="font-display text-name wrap-anywhere">
      From {name}
    </p>
  );
}
