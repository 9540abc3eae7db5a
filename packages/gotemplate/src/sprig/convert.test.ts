import { type Cases, testAsGo } from './testing.ts';

const CASES: Cases = {
  text: [
    [
      '{{toString nil}} {{toString 1.0}} {{toString (list 1 nil)}} {{toString (dict "a" 1)}} {{toString (semver "v1")}} {{toString (semver "v1").MarshalText}} {{toString true}}',
      '<nil> 1 [1 <nil>] map[a:1] 1.0.0 1.0.0 true',
    ],
    [
      '{{toStrings (list 1 nil "a" 2.5)|printf "%#v"}} {{toStrings (until 2)|printf "%#v"}} {{toStrings "a"|printf "%#v"}} {{toStrings nil|printf "%#v"}} {{toStrings (splitList "," "a,b")|printf "%#v"}} {{toStrings (dict "a" 1)|printf "%#v"}} {{toStrings (semver "1").MarshalText | printf "%#v"}}',
      '[]string{"1", "a", "2.5"} []string{"0", "1"} []string{"a"} []string{} []string{"a", "b"} []string{"map[a:1]"} []string{"49", "46", "48", "46", "48"}',
    ],
  ],
};

testAsGo(CASES);
