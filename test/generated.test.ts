import { describe, expect, it } from 'vitest'
import { historyLineSchema } from '../src/analysis/history/line.ts'
import { caseFileSchema, casesSchema } from '../src/cases/case-file-schema.ts'
import {
  attachmentSchema,
  caseSchema,
  checkpointSchema,
  interactiveSchema,
  messageSchema,
  simulatorSchema,
  turnSchema,
} from '../src/cases/case-schema.ts'
import { stubSchema } from '../src/cases/stubs.ts'
import { optionsSchema } from '../src/checks/context-options.ts'
import { assertionReference, assertionSchema } from '../src/checks/list.ts'
import { a2aAgentSchema } from '../src/project/a2a-agent-schema.ts'
import {
  awaitingSchema,
  configSchema,
  connectorSchema,
  helpersSchema,
  limitsSchema,
  networkSchema,
  serviceSchema,
} from '../src/project/config-schema.ts'
import { httpAgentSchema, httpEventSchema, httpResponseSchema } from '../src/project/http-agent-schema.ts'
import {
  mcpCommandSchema,
  mcpUrlSchema,
  modelAgentSchema,
  simulatorToolsSchema,
} from '../src/project/model-agent-schema.ts'
import { resultLineSchema } from '../src/results/line-schema.ts'
import {
  journalLineSchema,
  stabilityLineSchema,
  startLineSchema,
  summaryLineSchema,
} from '../src/results/run-line-schema.ts'
import { contextFileSchema } from '../src/run/context-file.ts'
import {
  renderAssertions,
  renderEditorSchema,
  renderFlags,
  renderObjects,
  renderSchema,
} from './reference/render.ts'
import { renderApi } from './reference/render-api.ts'
import { renderTypes } from './reference/render-types.ts'

const assertionTypes = { path: 'src/checks/assertion-type.ts', types: { AssertionInput: assertionSchema } }

const pages: Record<string, () => string> = {
  '../schemas/case.schema.json': () => renderEditorSchema(caseSchema, 'A viva test case'),
  '../schemas/cases.schema.json': () => renderEditorSchema(casesSchema, 'A file of viva test cases'),
  '../schemas/config.schema.json': () => renderEditorSchema(configSchema, 'The configuration of viva'),
  '../schemas/result.schema.json': () => renderSchema(journalLineSchema, 'A line of a viva results file'),
  '../src/checks/assertion-type.ts': () => renderTypes(assertionTypes),
  '../src/cases/case-type.ts': () =>
    renderTypes({
      path: 'src/cases/case-type.ts',
      types: {
        CaseInput: caseSchema.describe(
          'A case as it is written in a file; docs/reference/cases.md lists its fields.',
        ),
      },
      builtOn: assertionTypes,
    }),
  '../src/project/config-type.ts': () =>
    renderTypes({
      path: 'src/project/config-type.ts',
      types: {
        ConfigInput: configSchema.describe(
          'The contents of a `viva.config.ts`; docs/reference/config.md lists its keys.',
        ),
      },
    }),
  '../docs/api.md': renderApi,
  '../docs/reference/flags.md': renderFlags,
  '../docs/reference/assertions.md': () => renderAssertions(assertionReference()),
  '../docs/reference/cases.md': () =>
    renderObjects(
      'Case fields',
      'A case is one JSON object. An unknown key is an error, except in `metadata` and `options.search`. With the\n[JSON Schemas](../editors.md), an editor completes and checks the fields.',
      {
        'A case': caseSchema,
        'A YAML file that is an object': caseFileSchema,
        'A turn (`turns[]`)': turnSchema,
        'A message': messageSchema,
        'Options (`options`)': optionsSchema,
        'A simulator (`simulator`)': simulatorSchema,
        'A checkpoint (`checkpoints[]`)': checkpointSchema,
        'A person (`interactive`)': interactiveSchema,
        'A stub (`stubs.<tool>`, one or a list)': stubSchema,
        'An attachment (`attachments[]`)': attachmentSchema,
      },
    ),
  '../docs/reference/results.md': () =>
    renderObjects(
      'Result lines',
      'A results file is JSONL: a `start` line, a `result` line for each attempt of a case, with `--runs` a `stability` line\nfor each case, and a `summary` line. The history of runs is a separate file.',
      {
        start: startLineSchema,
        result: resultLineSchema,
        stability: stabilityLineSchema,
        summary: summaryLineSchema,
        'A line of `.viva/history.jsonl`': historyLineSchema,
      },
    ),
  '../docs/reference/config.md': () =>
    renderObjects(
      'Configuration',
      'The keys of `viva.config.ts`, `.mts`, `.js`, `.mjs` or `.json`, of connectors (also in `*.conn.yao` files), and of `--ctx` files.\nWith the [JSON Schema](../editors.md), an editor completes and checks `viva.config.json`.',
      {
        'viva.config': configSchema,
        'An agent behind HTTP (`agents.<name>`)': httpAgentSchema,
        'The `response` of an HTTP agent': httpResponseSchema,
        'The `event` of an HTTP agent': httpEventSchema,
        'An A2A agent (`agents.<name>`)': a2aAgentSchema,
        'A model with a prompt and tools (`agents.<name>`)': modelAgentSchema,
        'The built-in helper agents (`helpers`)': helpersSchema,
        'Tools of a user that `viva.simulator` plays (`helpers.simulator`)': simulatorToolsSchema,
        'An MCP server that viva starts (`mcp.<server>`)': mcpCommandSchema,
        'An MCP server that is running (`mcp.<server>`)': mcpUrlSchema,
        'How to detect that an agent waits (`awaiting`)': awaitingSchema,
        'A service (`services[]`)': serviceSchema,
        'A connector': connectorSchema,
        'The `limits` of a connector': limitsSchema,
        'Network settings (`network`)': networkSchema,
        'A `--ctx` file': contextFileSchema,
      },
    ),
}

describe('generated files', () => {
  it.each(Object.keys(pages))('%s is up to date with the code (npm run generate)', async (path) => {
    await expect(pages[path]?.()).toMatchFileSnapshot(path)
  })
})
