/** Builds the template editor as one page, for any web server and for none. The folder is the first argument; default `dist/playground`. */
import { mkdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { NOTICES, replaceFolder } from './bundle.ts';
import { notices, packagesIn } from './third-party.ts';
import { playgroundFiles } from './ui-files.ts';

const [folder = 'dist/playground'] = process.argv.slice(2);

const { files, metafile, comments } = await playgroundFiles();
await mkdir(folder, { recursive: true });
const licences = notices(await packagesIn(metafile), comments);
await replaceFolder(folder, [...files, { name: NOTICES, contents: Buffer.from(licences) }]);
for (const { name, contents } of files) {
  const size = gzipSync(contents, { level: 9 }).length / 1_000;
  process.stdout.write(`Wrote ${folder}/${name}: ${size.toFixed(0)} kB, compressed by gzip\n`);
}
