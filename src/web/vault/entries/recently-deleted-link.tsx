// The way from a list of entries to what was deleted from it.
import { Link } from 'wouter';

export function RecentlyDeletedLink() {
  return (
    <p className="mt-12 text-note text-dust">
      <Link href="/recently-deleted" className="underline underline-offset-4 hover:text-ember">
        Recently deleted
      </Link>
    </p>
  );
}
