export { OPERATIONS, matrix, planSource, syntheticSource } from './events.ts';
export { type Finding, Folded, findingsOfTemplate, findingsOfVerdict, sameOutputs } from './findings.ts';
export { type RecordingOptions, recordingSettings, templatesHere } from './recording.ts';
export { type Rehearsal, type ShownRequest, deliver, rehearse, shownRequest } from './requests.ts';
