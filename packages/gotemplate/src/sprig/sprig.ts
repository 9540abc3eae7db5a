/** The function library of sprig v3, as templates of Kubernetes tools know it. */
import type { FuncMap } from '../value/func.ts';
import { crypto } from './crypto.ts';
import { date } from './date.ts';
import { defaults } from './defaults.ts';
import { dict } from './dict.ts';
import { flow } from './flow.ts';
import { list } from './list.ts';
import { numeric } from './numeric.ts';
import { paths } from './paths.ts';
import { random } from './random.ts';
import { reflect } from './reflect.ts';
import { regex } from './regex.ts';
import { semver } from './semver.ts';
import { strings } from './strings.ts';
import { unavailable } from './unavailable.ts';
import { url } from './url.ts';

const functions: FuncMap = Object.freeze({
  ...strings,
  ...regex,
  ...url,
  ...crypto,
  ...paths,
  ...random,
  ...numeric,
  ...semver,
  ...list,
  ...dict,
  ...date,
  ...defaults,
  ...reflect,
  ...flow,
  ...unavailable,
});

/**
 * All text functions of sprig 3.3, with their signatures. Functions that read the host's environment or network, and
 * those that make keys, certificates and password hashes, are {@link Unavailable}: not defined, with a reason.
 */
export const sprig = (): FuncMap => functions;
