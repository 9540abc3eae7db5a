import type { CommandSpec } from './command.ts';

const QUESTIONS = 'Questions:';
const CHANGES = 'Changes:';
const BEFORE = 'Before you apply:';
const SERVICE = 'The service:';

/** All commands, in the order of `hnotif --help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'why',
    summary: 'say where a notification is: delivered, waiting, or why not',
    group: QUESTIONS,
    load: () => import('./commands/why.ts'),
  },
  {
    name: 'doctor',
    summary: 'examine notifications end to end, without sending a message',
    group: QUESTIONS,
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'trace',
    summary: 'show what happened to a plan and its events, in order',
    group: QUESTIONS,
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'night',
    summary: 'say what happened last night: which plans slept, woke or failed, and who was told',
    group: QUESTIONS,
    load: () => import('./commands/night.ts'),
  },
  {
    name: 'get',
    summary: 'list notifications, plans or journals',
    group: QUESTIONS,
    load: () => import('./commands/get.ts'),
  },
  {
    name: 'describe',
    summary: 'show a notification with the health of its sinks',
    group: QUESTIONS,
    load: () => import('./commands/describe.ts'),
  },
  {
    name: 'ui',
    summary: 'show the night, each message, and why, on a page in your browser',
    group: QUESTIONS,
    load: () => import('./commands/ui.ts'),
  },
  {
    name: 'mute',
    summary: 'make a notification silent for a while',
    group: CHANGES,
    load: () => import('./commands/mute.ts'),
  },
  {
    name: 'unmute',
    summary: 'let a notification send again',
    group: CHANGES,
    load: () => import('./commands/unmute.ts'),
  },
  {
    name: 'replay',
    summary: 'send deliveries again that failed, expired or were dropped',
    group: CHANGES,
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'validate',
    summary: 'check manifests, or the objects of the cluster, as hnotif would',
    group: BEFORE,
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'render',
    summary: 'show the requests that a notification would send, without credentials',
    group: BEFORE,
    load: () => import('./commands/render.ts'),
  },
  {
    name: 'send',
    summary: 'send the messages of a notification for real, marked as a test',
    group: BEFORE,
    load: () => import('./commands/send.ts'),
  },
  {
    name: 'template',
    summary: 'check a template and show its output',
    group: BEFORE,
    load: () => import('./commands/template.ts'),
  },
  {
    name: 'run',
    summary: 'serve a cluster',
    group: SERVICE,
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'dev',
    summary: 'play nights on an embedded control plane',
    group: SERVICE,
    // Not called dev: that is the part of the bundle which the image leaves out.
    load: () => import('./commands/nights.ts'),
  },
  {
    name: 'crds',
    summary: 'print the CustomResourceDefinitions',
    group: SERVICE,
    load: () => import('./commands/crds.ts'),
  },
  {
    name: 'version',
    summary: 'print the versions of this program and of what it runs on',
    group: SERVICE,
    load: () => import('./commands/version.ts'),
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and flags in a shell',
    group: SERVICE,
    load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
  },
];
