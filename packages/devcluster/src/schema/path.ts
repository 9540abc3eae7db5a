/** Paths of fields as text, in the form of the server's causes: `spec.sinks[0].name`. The empty text is the object itself. */
export function child(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function index(path: string, position: number): string {
  return `${path}[${position}]`;
}

/** A key of a map. */
export function key(path: string, name: string): string {
  return `${path}[${name}]`;
}

/** The path in a cause: the object itself is `<nil>`. */
export function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}
