import { argv } from 'node:process';

// Before the rest is loaded: who starts it by hand sees at once that it has begun.
if (argv.includes('--say')) console.log('building hnotif …');
const { bundle } = await import('./bundle.ts');

await bundle({ dev: !argv.includes('--without-dev'), sbom: argv.includes('--sbom') });
