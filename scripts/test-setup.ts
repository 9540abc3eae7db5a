import { bundle } from './bundle.ts';

/** Tests of the command line run what users run: the bundle, made anew before each run. */
export const setup = bundle;
