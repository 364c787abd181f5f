// A search over what this page holds. The slash key leads to it, Escape empties it.
import { useRef } from 'react';
import { useLetterHint, useLetterKeys } from './letter-keys.ts';

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
  const hint = useLetterHint('/');
  useLetterKeys((letter) => {
    if (letter === '/') field.current?.focus();
    return letter === '/';
  });
  return (
    <search className="flex items-center gap-4 border-y border-line focus-within:border-ember">
      <input
        ref={field}
        type="search"
        aria-label={label}
        {...hint}
        placeholder={placeholder}
        className="min-w-0 flex-1 truncate appearance-none bg-transparent py-3 text-bone focus-visible:shadow-none focus-visible:outline-hidden placeholder:text-shade placeholder:opacity-100 [&::-webkit-search-cancel-button]:hidden"
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
      {found === null && hint['aria-keyshortcuts'] && (
        <span aria-hidden="true" className="caps shrink-0 text-dust max-sm:hidden">
          /
        </span>
      )}
    </search>
  );
}
