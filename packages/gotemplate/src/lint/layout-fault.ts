/** Layouts of times that Go takes, and that do not show the time as their author thinks. */
import { formatTime } from '../time/format.ts';
import { readLayout } from '../time/layout.ts';
import { Time } from '../time/time.ts';
import { layoutOf } from './foreign-layout.ts';

export interface LayoutFault {
  /** What Go makes of it. */
  readonly message: string;
  /** The layout to write instead, if it is known. */
  readonly suggestion: string | undefined;
}

/** The mistake in a layout. Undefined: Go reads it as a layout. */
export function layoutFault(layout: string): LayoutFault | undefined {
  const meant = NAMED[layout.replace(/^time\.|[\s-]/g, '').toLowerCase()] ?? layoutOf(layout);
  if (meant === undefined && readLayout(layout).parts.length > 0 && !hasForeignDigits(layout))
    return undefined;
  const suggestion = meant ?? referenceOf(layout);
  const shown = formatTime(SAMPLE, layout);
  const example = shown === layout ? 'each time' : '2026-11-27 21:48:39';
  return {
    message: `${JSON.stringify(layout)} is not a layout of Go: it shows ${example} as ${JSON.stringify(shown)}; write the reference time Mon Jan 2 15:04:05 MST 2006`,
    suggestion: suggestion === layout || hasForeignDigits(suggestion) ? undefined : suggestion,
  };
}

/** It shares no part with the reference time. */
const SAMPLE = Time.fromDate(new Date('2026-11-27T21:48:39Z'));

/** Names of layouts that authors write instead of the layout itself: https://pkg.go.dev/time#pkg-constants */
const NAMED: Readonly<Record<string, string>> = {
  ...{ iso8601: '2006-01-02T15:04:05Z07:00', rfc3339: '2006-01-02T15:04:05Z07:00' },
  ...{ rfc3339nano: '2006-01-02T15:04:05.999999999Z07:00', ansic: 'Mon Jan _2 15:04:05 2006' },
  ...{ rfc822: '02 Jan 06 15:04 MST', rfc850: 'Monday, 02-Jan-06 15:04:05 MST', kitchen: '3:04PM' },
  ...{ rfc1123: 'Mon, 02 Jan 2006 15:04:05 MST', rfc2822: 'Mon, 02 Jan 2006 15:04:05 -0700' },
  ...{ rfc822z: '02 Jan 06 15:04 -0700', rfc1123z: 'Mon, 02 Jan 2006 15:04:05 -0700' },
  ...{ rubydate: 'Mon Jan 02 15:04:05 -0700 2006', unixdate: 'Mon Jan _2 15:04:05 MST 2006' },
  ...{
    datetime: '2006-01-02 15:04:05',
    dateonly: '2006-01-02',
    timeonly: '15:04:05',
    stamp: 'Jan _2 15:04:05',
  },
};

/** Parts that Go always takes as an offset from UTC, or as a fraction. */
const BESIDE = /[-Z]07(?::?00){0,2}(?!\d)|[.,](?:0+|9+)(?!\d)/g;

/** Signs of another time than the reference time. */
const FOREIGN: readonly RegExp[] = [
  // Two digits or more that are not in the reference time. One digit may be a fixed text.
  /(?<!\d)(?!(?:2006|002|0[1-6]|15)+(?!\d))\d{2,}/,
  // After an hour comes the minute 04, then the second 05.
  /(?<!\d)(?:15|0?3):(?!0?4(?!\d))\d/,
  /(?<!\d)0?4:(?!0?5(?!\d))\d/,
  // The day before the month, or one of them twice.
  /2006([-/.])02\1/,
  /(?<!\d)(0[12])[-/.]\1(?!\d)/,
  /\d ?[Aa][Mm]\b/,
  /\b(?:Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:[a-z]*\b)? \d|\d (?:Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/,
];

function hasForeignDigits(layout: string): boolean {
  const text = layout.replace(BESIDE, '');
  return FOREIGN.some((pattern) => pattern.test(text));
}

const PIECE = new RegExp(
  [
    /(?<ymd>\d{4}(?<s1>[-/.])\d{1,2}\k<s1>\d{1,2})/,
    /(?<first>\d{1,2})(?<s2>[-/.])(?<second>\d{1,2})\k<s2>(?<year>\d{4}|\d{2})/,
    /(?<offset>(?<=\d)[-+]\d{2}:\d{2})/,
    /(?<hour>\d{1,2}):\d{2}(?<seconds>:\d{2})?(?:(?<blank> ?)(?<half>[AaPp][Mm])\b)?/,
    /(?<month>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)/,
    /(?<day>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)/,
    /(?<lone>\d+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** The reference time in the form of another one. */
function referenceOf(layout: string): string {
  return layout.replace(PIECE, (whole, ...rest) => {
    const found = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const {
      ymd,
      s1 = '',
      first,
      s2 = '',
      second,
      year = '',
      hour,
      seconds,
      offset,
      blank = '',
      half,
      month,
      day,
    } = found;
    if (ymd !== undefined) return `2006${s1}01${s1}02`;
    if (offset !== undefined) return '-07:00';
    if (first !== undefined) {
      // Slashes are usual where the month is first.
      const isMonthFirst = Number(second) > 12 || (s2 === '/' && Number(first) <= 12);
      return [...(isMonthFirst ? ['01', '02'] : ['02', '01']), year.length === 4 ? '2006' : '06'].join(s2);
    }
    if (hour !== undefined) {
      const minutes = seconds === undefined ? '04' : '04:05';
      if (half === undefined) return `15:${minutes}`;
      const pm = half === half.toLowerCase() ? 'pm' : 'PM';
      return `${hour.length === 1 ? '3' : '03'}:${minutes}${blank}${pm}`;
    }
    if (month !== undefined) return month.length > 3 ? 'January' : 'Jan';
    if (day !== undefined) return day.length > 3 ? 'Monday' : 'Mon';
    if (whole.length === 4) return '2006';
    return whole.length > 2 ? whole : '2';
  });
}
