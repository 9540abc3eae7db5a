import { useEffect, useMemo, useState } from 'preact/hooks';

/** The value of a variable of `tokens.css` as a colour that a canvas takes. */
export type ColorOf = (variable: string) => string;

/** The colours of the browser's scheme; on paper the light ones. The function is another one when they change. */
export function useColors(isPaper: boolean): ColorOf {
  const [scheme, setScheme] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const changed = (): void => setScheme(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return useMemo(() => colorsIn(isPaper ? 'light' : 'light dark'), [isPaper, scheme]);
}

/** Each colour is looked up once. */
function colorsIn(scheme: string): ColorOf {
  const known = new Map<string, string>();
  return (variable) => {
    const before = known.get(variable);
    if (before !== undefined) return before;
    const probe = document.createElement('span');
    probe.hidden = true;
    // With forced colours every variable would have the colour of text, and a canvas would be one white area.
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.colorScheme = scheme;
    probe.style.color = `var(${variable})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    known.set(variable, color);
    return color;
  };
}
