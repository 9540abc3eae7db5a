import { execFileSync } from 'node:child_process';

/** Why a program cannot be used here; `''` when it can. */
export function missing(program: string): string {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return '';
  } catch {
    return `${program} is not installed`;
  }
}
