/** Builds the template editor as static files, for any web server. */
import { mkdir } from 'node:fs/promises';
import { NOTICES, replaceFolder } from './bundle.ts';
import { notices, packagesIn } from './third-party.ts';
import { firstLoad, playgroundFiles } from './ui-files.ts';

const FOLDER = 'dist/playground';

const page = await playgroundFiles();
await mkdir(FOLDER, { recursive: true });
const licences = notices(await packagesIn(page.metafile), page.comments);
await replaceFolder(FOLDER, [...page.files, { name: NOTICES, contents: Buffer.from(licences) }]);
const load = firstLoad(page);
const line = (size: number, what: string): string => `${(size / 1_000).toFixed(1).padStart(7)} kB  ${what}\n`;
const total = load.reduce((sum, { size }) => sum + size, 0);
process.stdout.write(load.map(({ name, size }) => line(size, name)).join(''));
process.stdout.write(
  `${line(total, 'in all until the page works, compressed by gzip')}Wrote ${FOLDER}: put it on any web server.\n`,
);
