// A search over what this page holds. The slash key leads to it, Escape empties it.
import { useEffect, useRef } from 'react';

interface SearchProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** How many were found, or null while nothing is searched for. */
  found: number | null;
}

export function SearchField({ label, placeholder, value, onChange, found }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const writing = target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]');
      if (event.key !== '/' || writing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <search className="flex items-center gap-4 border-y border-line focus-within:border-ember">
      <input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        className="min-w-0 flex-1 appearance-none bg-transparent py-4 text-bone focus-visible:shadow-none focus-visible:outline-hidden placeholder:text-shade placeholder:opacity-100 [&::-webkit-search-cancel-button]:hidden"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <span role="status" className="caps shrink-0 text-dust">
        {found === null ? '' : `${found.toLocaleString('en-GB')} found`}
      </span>
      {found === null && (
        <span aria-hidden="true" className="caps shrink-0 text-dust max-sm:hidden">
          /
        </span>
      )}
    </search>
  );
}
