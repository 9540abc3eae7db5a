/** The used part of `Document`. */
interface Visible extends EventTarget {
  readonly hidden: boolean;
}

/**
 * Keeps a connection while somebody can see the page. Browsers have six connections to a server at most, for all of its pages: without this,
 * the seventh page would never load. `connect` returns a function that ends the connection.
 */
export function whileVisible(page: Visible, connect: () => () => void): void {
  let end: (() => void) | undefined;
  const look = (): void => {
    if (page.hidden) {
      end?.();
      end = undefined;
    } else end ??= connect();
  };
  page.addEventListener('visibilitychange', look);
  look();
}
