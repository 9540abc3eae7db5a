import { useEffect, useState } from 'preact/hooks';

export interface CopyButtonProps {
  readonly label: string;
  /** What is copied, or what it is made of: when it changes, nothing is said of the last copy any more. */
  readonly of: unknown;
  /** What is said when it was copied. */
  readonly done: string;
  readonly text: () => string | Promise<string>;
}

/** Copies a text. Where the browser permits no copying, such as on a page without https, the text is shown. */
export function CopyButton({ label, of, done, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    setCopied(false);
    setShown(undefined);
  }, [of]);
  const copy = async (): Promise<void> => {
    const value = await text();
    try {
      await navigator.clipboard.writeText(value);
      setShown(undefined);
      setCopied(true);
    } catch {
      setCopied(false);
      setShown(value);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" class="faint">
        {copied && done}
      </span>
      {shown !== undefined && (
        <label class="by-hand">
          This browser does not let the page copy. Copy it from here:
          <textarea
            readOnly
            rows={8}
            class="mono"
            value={shown}
            ref={(element) => {
              element?.select();
            }}
          />
        </label>
      )}
    </>
  );
}
