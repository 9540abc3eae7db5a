import { CopyButton } from '../common/copy-button.tsx';

/** A command that can be copied. */
export function Command({ text }: { readonly text: string }) {
  return (
    <p class="command">
      <code>{text}</code> <CopyButton label="Copy" of={text} done="Copied." text={() => text} />
    </p>
  );
}
