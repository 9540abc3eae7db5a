import type { Command } from 'commander';
import { addDevFlags, type DevFlags } from '../dev-flags.ts';
import { devParts } from '../lazy-dev.ts';
import { EXIT } from '../exit.ts';
import { CommandError, type Io, type RunCommand } from '../io.ts';

export const define = (command: Command, io: Io, run: RunCommand): void => {
  addDevFlags(command.description(DESCRIPTION)).action(async (flags: DevFlags) => {
    const parts = await devParts();
    if (parts === undefined)
      throw new CommandError(
        'hnotif dev is not part of this image: clone the project and run npm start',
        EXIT.usage,
      );
    io.exit(await parts.dev(flags, io.env, run));
  });
};

const DESCRIPTION =
  'Starts an embedded control plane, simulators of the receivers, and the controller, as run does. Then it plays nights and shows each delivery as it arrives. It plays plans with the annotation demo.hibernation.dev/night (steady, retry, abort or exhausted), such as those in examples/. It does not change other plans. The simulated chats know the tokens, channels, webhooks and workflows of the secrets in examples/, and refuse all others. A channel is shown with the name of its secret.';
