/** The used part of `Document`. */
interface Visible extends EventTarget {
  readonly hidden: boolean;
}

/**
 * Keeps a connection while the page is visible. A browser opens at most six connections to a server, for all of its pages. Without this, the
 * seventh page would never load. `connect` returns a function that ends the connection.
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
