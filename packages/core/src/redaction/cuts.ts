/** Where receivers cut a text, or hide its rest. */
const TRUNCATION_MARK = /…|\.{3}|\*{3}/g;
/** More of them are not marks of a cut. */
const MOST_TRUNCATION_MARKS = 50;
/** Part of an escape, or of a UTF-8 character, at the end of a cut text. */
const PARTIAL_ESCAPE = /(?:%[\da-f]?|\\(?:[ux][\da-f]{0,3})?|&#?[\da-z]{0,7}|\ufffd+)$/i;
const LONGEST_PARTIAL_ESCAPE = 10;

/** Where a text may have been cut: before such marks, and at its end; each also without a part of an escape before. */
export function cutsOf(text: string): number[] {
  const cuts = [text.length];
  for (const { index } of text.matchAll(TRUNCATION_MARK)) if (cuts.push(index) > MOST_TRUNCATION_MARKS) break;
  return cuts.flatMap((cut) => {
    const stump = PARTIAL_ESCAPE.exec(text.slice(Math.max(0, cut - LONGEST_PARTIAL_ESCAPE), cut))?.[0] ?? '';
    return stump === '' ? [cut] : [cut - stump.length, cut];
  });
}
