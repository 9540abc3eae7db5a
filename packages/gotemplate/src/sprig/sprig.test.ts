import { describe, expect, it } from 'vitest';
import { Unavailable } from '../value/func.ts';
import { sprig } from './sprig.ts';

/** The text functions of sprig 3.3 with their types, as `%T` prints them in Go. */
const SIGNATURES = `
abbrev func(int, string) string
abbrevboth func(int, int, string) string
add func(...interface {}) int64
add1 func(interface {}) int64
add1f func(interface {}) float64
addf func(...interface {}) float64
adler32sum func(string) string
ago func(interface {}) string
all func(...interface {}) bool
any func(...interface {}) bool
append func(interface {}, interface {}) []interface {}
atoi func(string) int
b32dec func(string) string
b32enc func(string) string
b64dec func(string) string
b64enc func(string) string
base func(string) string
biggest func(interface {}, ...interface {}) int64
camelcase func(string) string
cat func(...interface {}) string
ceil func(interface {}) float64
chunk func(int, interface {}) [][]interface {}
clean func(string) string
coalesce func(...interface {}) interface {}
compact func(interface {}) []interface {}
concat func(...interface {}) interface {}
contains func(string, string) bool
date func(string, interface {}) string
dateInZone func(string, interface {}, string) string
dateModify func(string, time.Time) time.Time
date_in_zone func(string, interface {}, string) string
date_modify func(string, time.Time) time.Time
deepCopy func(interface {}) interface {}
deepEqual func(interface {}, interface {}) bool
default func(interface {}, ...interface {}) interface {}
dict func(...interface {}) map[string]interface {}
dig func(...interface {}) (interface {}, error)
dir func(string) string
div func(interface {}, interface {}) int64
divf func(interface {}, ...interface {}) float64
duration func(interface {}) string
durationRound func(interface {}) string
empty func(interface {}) bool
ext func(string) string
fail func(string) (string, error)
first func(interface {}) interface {}
float64 func(interface {}) float64
floor func(interface {}) float64
fromJson func(string) interface {}
get func(map[string]interface {}, string) interface {}
has func(interface {}, interface {}) bool
hasKey func(map[string]interface {}, string) bool
hasPrefix func(string, string) bool
hasSuffix func(string, string) bool
hello func() string
htmlDate func(interface {}) string
htmlDateInZone func(interface {}, string) string
indent func(int, string) string
initial func(interface {}) []interface {}
initials func(string) string
int func(interface {}) int
int64 func(interface {}) int64
isAbs func(string) bool
join func(string, interface {}) string
kebabcase func(string) string
keys func(...map[string]interface {}) []string
kindIs func(string, interface {}) bool
kindOf func(interface {}) string
last func(interface {}) interface {}
list func(...interface {}) []interface {}
lower func(string) string
max func(interface {}, ...interface {}) int64
maxf func(interface {}, ...interface {}) float64
merge func(map[string]interface {}, ...map[string]interface {}) interface {}
mergeOverwrite func(map[string]interface {}, ...map[string]interface {}) interface {}
min func(interface {}, ...interface {}) int64
minf func(interface {}, ...interface {}) float64
mod func(interface {}, interface {}) int64
mul func(interface {}, ...interface {}) int64
mulf func(interface {}, ...interface {}) float64
mustAppend func(interface {}, interface {}) ([]interface {}, error)
mustChunk func(int, interface {}) ([][]interface {}, error)
mustCompact func(interface {}) ([]interface {}, error)
mustDateModify func(string, time.Time) (time.Time, error)
mustDeepCopy func(interface {}) (interface {}, error)
mustFirst func(interface {}) (interface {}, error)
mustFromJson func(string) (interface {}, error)
mustHas func(interface {}, interface {}) (bool, error)
mustInitial func(interface {}) ([]interface {}, error)
mustLast func(interface {}) (interface {}, error)
mustMerge func(map[string]interface {}, ...map[string]interface {}) (interface {}, error)
mustMergeOverwrite func(map[string]interface {}, ...map[string]interface {}) (interface {}, error)
mustPrepend func(interface {}, interface {}) ([]interface {}, error)
mustPush func(interface {}, interface {}) ([]interface {}, error)
mustRegexFind func(string, string) (string, error)
mustRegexFindAll func(string, string, int) ([]string, error)
mustRegexMatch func(string, string) (bool, error)
mustRegexReplaceAll func(string, string, string) (string, error)
mustRegexReplaceAllLiteral func(string, string, string) (string, error)
mustRegexSplit func(string, string, int) ([]string, error)
mustRest func(interface {}) ([]interface {}, error)
mustReverse func(interface {}) ([]interface {}, error)
mustSlice func(interface {}, ...interface {}) (interface {}, error)
mustToDate func(string, string) (time.Time, error)
mustToJson func(interface {}) (string, error)
mustToPrettyJson func(interface {}) (string, error)
mustToRawJson func(interface {}) (string, error)
mustUniq func(interface {}) ([]interface {}, error)
mustWithout func(interface {}, ...interface {}) ([]interface {}, error)
must_date_modify func(string, time.Time) (time.Time, error)
nindent func(int, string) string
nospace func(string) string
now func() time.Time
omit func(map[string]interface {}, ...string) map[string]interface {}
osBase func(string) string
osClean func(string) string
osDir func(string) string
osExt func(string) string
osIsAbs func(string) bool
pick func(map[string]interface {}, ...string) map[string]interface {}
pluck func(string, ...map[string]interface {}) []interface {}
plural func(string, string, int) string
prepend func(interface {}, interface {}) []interface {}
push func(interface {}, interface {}) []interface {}
quote func(...interface {}) string
randAlpha func(int) string
randAlphaNum func(int) string
randAscii func(int) string
randBytes func(int) (string, error)
randInt func(int, int) int
randNumeric func(int) string
regexFind func(string, string) string
regexFindAll func(string, string, int) []string
regexMatch func(string, string) bool
regexQuoteMeta func(string) string
regexReplaceAll func(string, string, string) string
regexReplaceAllLiteral func(string, string, string) string
regexSplit func(string, string, int) []string
repeat func(int, string) string
replace func(string, string, string) string
rest func(interface {}) []interface {}
reverse func(interface {}) []interface {}
round func(interface {}, int, ...float64) float64
semver func(string) (*semver.Version, error)
semverCompare func(string, string) (bool, error)
seq func(...int) string
set func(map[string]interface {}, string, interface {}) map[string]interface {}
sha1sum func(string) string
sha256sum func(string) string
sha512sum func(string) string
shuffle func(string) string
slice func(interface {}, ...interface {}) interface {}
snakecase func(string) string
sortAlpha func(interface {}) []string
split func(string, string) map[string]string
splitList func(string, string) []string
splitn func(string, int, string) map[string]string
squote func(...interface {}) string
sub func(interface {}, interface {}) int64
subf func(interface {}, ...interface {}) float64
substr func(int, int, string) string
swapcase func(string) string
ternary func(interface {}, interface {}, bool) interface {}
title func(string) string
toDate func(string, string) time.Time
toDecimal func(interface {}) int64
toJson func(interface {}) string
toPrettyJson func(interface {}) string
toRawJson func(interface {}) string
toString func(interface {}) string
toStrings func(interface {}) []string
trim func(string) string
trimAll func(string, string) string
trimPrefix func(string, string) string
trimSuffix func(string, string) string
trimall func(string, string) string
trunc func(int, string) string
tuple func(...interface {}) []interface {}
typeIs func(string, interface {}) bool
typeIsLike func(string, interface {}) bool
typeOf func(interface {}) string
uniq func(interface {}) []interface {}
unixEpoch func(time.Time) string
unset func(map[string]interface {}, string) map[string]interface {}
until func(int) []int
untilStep func(int, int, int) []int
untitle func(string) string
upper func(string) string
urlJoin func(map[string]interface {}) string
urlParse func(string) map[string]interface {}
uuidv4 func() string
values func(map[string]interface {}) []interface {}
without func(interface {}, ...interface {}) []interface {}
wrap func(int, string) string
wrapWith func(int, string, string) string
`;

const LEFT_OUT =
  'env expandenv getHostByName genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert ' +
  'genSignedCertWithKey buildCustomCert derivePassword encryptAES decryptAES bcrypt htpasswd';

describe('sprig', () => {
  const entries = Object.entries(sprig());

  it('has all functions, with their Go signatures', () => {
    const offered = entries.flatMap(([name, func]) =>
      func instanceof Unavailable ? [] : [`${name} ${func.type.name}`],
    );
    expect(offered.sort()).toEqual(SIGNATURES.trim().split('\n').sort());
  });

  it('gives a reason for each unavailable function', () => {
    const left = entries.flatMap(([name, func]) =>
      func instanceof Unavailable ? [{ name, reason: func.reason }] : [],
    );
    expect(left.map(({ name }) => name).sort()).toEqual(LEFT_OUT.split(' ').sort());
    for (const { reason } of left) expect(reason).toMatch(/^[a-z].{20,}[^.]$/);
  });

  it('is immutable', () => {
    expect(Object.isFrozen(sprig())).toBe(true);
  });
});
