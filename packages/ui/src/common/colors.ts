/** The value of a variable of `tokens.css` as a colour that a canvas takes. Known until the scheme changes from light to dark or back. */
export class Colors {
  readonly #known = new Map<string, string>();
  readonly #probe = document.createElement('span');
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #changed: () => void;

  /** `parent`: where the variables are in force. `changed` is called after a change of the scheme. */
  constructor(parent: HTMLElement, changed: () => void) {
    this.#probe.hidden = true;
    // With forced colours every variable would have the colour of text, and a canvas would be one white area.
    this.#probe.style.setProperty('forced-color-adjust', 'none');
    parent.append(this.#probe);
    this.#changed = () => {
      this.#known.clear();
      changed();
    };
    this.#scheme.addEventListener('change', this.#changed);
  }

  close(): void {
    this.#probe.remove();
    this.#scheme.removeEventListener('change', this.#changed);
  }

  readonly of = (variable: string): string => {
    const known = this.#known.get(variable);
    if (known !== undefined) return known;
    this.#probe.style.color = `var(${variable})`;
    const { color } = getComputedStyle(this.#probe);
    this.#known.set(variable, color);
    return color;
  };
}
