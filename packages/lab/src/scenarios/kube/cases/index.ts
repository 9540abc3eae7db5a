import type { Case } from '../case.ts';
import { apply, validation, writes } from './answers.ts';
import { clients } from './clients.ts';
import { election, killed, receiverDown, restarted, nights } from './nights.ts';
import { install } from './install.ts';

export const CASES: readonly Case[] = [
  ...[install, validation, writes, apply, clients, nights, receiverDown],
  ...[killed, restarted, election],
];
