// What a person is told where their key cannot leave because another one would be lost (lock-away.ts).

export const NOT_SEALED =
  'Beside your key, this browser holds one that was set aside. It has to be sealed before your key leaves, or it would be lost, and that did not work just now: the page could not load what it needs, or this browser has no room to store it. Nothing was removed. Check your connection and the room on this device, and try again.';
