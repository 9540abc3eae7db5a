import { execFileSync } from 'node:child_process';

/** Why a program cannot be used here; `''` when it can. `version`: its argument that does nothing but succeed. */
export function missing(program: string, version = '--version'): string {
  try {
    execFileSync(program, [version], { stdio: 'ignore' });
    return '';
  } catch {
    return `${program} is not installed`;
  }
}
