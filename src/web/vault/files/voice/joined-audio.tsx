// Recordings that follow each other, played as one.
import { useEffect, useState } from 'react';

/** @param props `parts` in their order; `label` says what they are */
export function JoinedAudio({ parts, label }: { parts: readonly Blob[]; label: string }) {
  const [at, setAt] = useState(0);
  const part = parts[at];
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!part) return;
    const address = URL.createObjectURL(part);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [part]);
  if (!part || url === null) return null;
  return (
    // biome-ignore lint/a11y/useMediaCaption: its owner has recorded it, and there are none
    <audio
      src={url}
      controls
      autoPlay={at > 0}
      aria-label={label}
      className="h-11 w-full"
      // The first stands ready again once the last has ended.
      onEnded={() => setAt(at + 1 < parts.length ? at + 1 : 0)}
    />
  );
}
