/** What readers see of a message's content: the output of the template. */
export const visiblePart = (content: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(content.rendered ?? content.blocks ?? content.text ?? content);

/** Why the outputs of a template for several events are a mistake: they are all the same. Undefined: they are not. */
export const sameForAll = (outputs: readonly string[]): string | undefined =>
  outputs.length < 2 || new Set(outputs).size > 1 || outputs[0]?.trim() === ''
    ? undefined
    : 'the message is the same for each event, so readers cannot tell them apart; write {{ .Event }}, or ask for one event in onEvents';
