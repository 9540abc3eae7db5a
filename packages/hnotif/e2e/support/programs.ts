import { execFileSync } from 'node:child_process';

/** Why a program cannot be used here; `''` if it can. `version`: an argument with which it only succeeds. */
export function missing(program: string, version = '--version'): string {
  try {
    execFileSync(program, [version], { stdio: 'ignore' });
    return '';
  } catch {
    return `${program} is not installed`;
  }
}
