import type { Command } from 'commander';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { nameOf } from '../gather.ts';
import type { Io } from '../io.ts';
import { suspend } from './mute.ts';

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description('Lets a notification send again that hnotif mute made silent.')
    .argument('<notification>', 'its name', nameOf('notification'))
    .action(async (name: string, flags: ClusterFlags) => {
      await suspend(name, flags, io, () => ({ suspend: null, suspendUntil: null, suspendReason: null }));
    });
};
