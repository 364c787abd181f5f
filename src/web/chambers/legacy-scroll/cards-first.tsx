// What a key card is, for authors on a server that sends no mail: a picture and two sentences.

export function CardsFirst() {
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-5 border border-line p-5">
      <CardPicture />
      <p className="min-w-0 flex-1 basis-60 text-note text-dust">
        This server sends no mail, so each recipient gets a key card from your hand, on paper or as a picture.
        They keep it and look at its address now and then: once the letter is sent, the card opens it.
      </p>
    </div>
  );
}

/** Such a card, as it lies on a table. */
function CardPicture() {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 120 76"
      width="120"
      height="76"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.15"
      className="text-ember"
    >
      <path d="M4 4h112v68H4z" />
      <path d="M14 18h44M14 30h30M14 58h44M14 64h28" className="text-dust" stroke="currentColor" />
      <path d="M74 16h12v12H74zM94 16h12v12H94zM74 36h12v12H74z" />
      <path d="M78 20h4v4h-4zM98 20h4v4h-4zM78 40h4v4h-4z" fill="currentColor" stroke="none" />
      <path
        d="M94 36h4v4h-4zM102 36h4v4h-4zM98 40h4v4h-4zM94 44h4v4h-4zM102 44h4v4h-4z"
        fill="currentColor"
        stroke="none"
      />
    </svg>
  );
}
