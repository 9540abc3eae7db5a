import type { Command } from 'commander';
import { VERSION } from '@hnotif/core/version';
import type { Io } from '../io.ts';

export const define = (command: Command, io: Io): void => {
  command
    .description(
      'Prints the versions of hnotif and of Node.js, and the platform. hnotif --version prints the first alone.',
    )
    .action(() => {
      io.out(`hnotif ${VERSION}\nnode ${process.version}\nplatform ${process.platform}/${process.arch}\n`);
    });
};
