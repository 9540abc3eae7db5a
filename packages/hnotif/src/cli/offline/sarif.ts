import { VERSION } from '@hnotif/core/version';
import { RULES, type Problem } from './problems.ts';

/** The problems in SARIF 2.1.0, which code hosts show beside the lines: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
export const sarifOf = (problems: readonly Problem[]): object => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          ...{
            name: 'hnotif validate',
            version: VERSION,
            informationUri: 'https://github.com/hnotif/hnotif',
          },
          rules: Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } })),
        },
      },
      results: problems.map(({ file, line, column, severity, rule, object, message }) => ({
        ruleId: rule,
        level: severity,
        message: { text: object === '' ? message : `${object}: ${message}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: file === '-' ? 'stdin' : encodeURI(file) },
              region: { startLine: line, startColumn: column },
            },
          },
        ],
      })),
    },
  ],
});
