// What appears in a form because its button was pressed may stand far from that button.

/** A ref of what has just appeared: brings it into sight, and moves nothing where it is in sight already. */
export const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });
