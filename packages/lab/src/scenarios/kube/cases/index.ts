import type { Case } from '../case.ts';
import { apply } from './apply.ts';
import { clients } from './clients.ts';
import { election } from './election.ts';
import { killed, receiverDown, restarted } from './faults.ts';
import { install } from './install.ts';
import { nights } from './nights.ts';
import { validation } from './validation.ts';
import { writes } from './writes.ts';

export const CASES: readonly Case[] = [
  ...[install, validation, writes, apply, clients, nights, receiverDown],
  ...[killed, restarted, election],
];
