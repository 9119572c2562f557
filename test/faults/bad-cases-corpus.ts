import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A case file that must be rejected, and the message that is expected. */
export interface BadCase {
  /** The extension is the format. */
  file: string
  content: string | Buffer | ((path: string) => void)
  says: string | RegExp
}

const lines = (...texts: string[]) => texts.join('\n')
/** One valid case with a mistake in it. */
const jsonl = (more: string, says: BadCase['says']): BadCase => ({
  file: 'cases.jsonl',
  content: `{"id": "x", "input": "hi"${more === '' ? '' : `, ${more}`}}\n`,
  says,
})
const raw = (file: string, content: BadCase['content'], says: BadCase['says']): BadCase => ({
  file,
  content,
  says,
})
const assertion = (text: string, says: BadCase['says']) => jsonl(`"assert": ${text}`, says)
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const keysAndTypes: BadCase[] = [
  jsonl('"asserts": []', 'unknown key "asserts" (did you mean "assert"?)'),
  jsonl('"Timeout": "1s"', 'unknown key "Timeout"'),
  jsonl('"__proto__": {"polluted": true}', 'unknown key "__proto__"'),
  jsonl('"constructor": {}', 'unknown key "constructor"'),
  jsonl(`"${'k'.repeat(5000)}": 1`, /unknown key "k{1,200}…/),
  jsonl('"name": 5', 'name must be a string'),
  jsonl('"tags": "smoke"', 'tags must be'),
  jsonl('"tags": [1]', 'tags[0] must be a string'),
  jsonl('"timeout": 30', 'timeout must be a string'),
  jsonl('"timeout": "-5s"', 'bad duration "-5s"'),
  jsonl('"timeout": "1000000h"', '1000000h'),
  jsonl('"retries": 1e999', 'retries'),
  jsonl('"retries": -1', 'retries'),
  jsonl('"max_turns": 1.5', 'max_turns'),
  jsonl('"max_turns": 99999999999999999999', 'max_turns'),
  jsonl('"metadata": []', 'metadata must be'),
  jsonl('"skip": 5', 'skip must be'),
  jsonl('"id": "y"', 'duplicate key "id"'),
  jsonl('"turns": [{"input": "a"}]', '`input` with `turns`'),
  jsonl('"assert": [], "assertions": []', '`assert` and `assertions` are the same'),
  jsonl('"before": "scripts:nowhere.Before"', 'no script "scripts:nowhere.Before"'),
  jsonl('"simulator": {"use": "nobody", "goal": "x"}', 'nobody'),
  jsonl('"expected_failure": true', 'expected_failure'),
  jsonl('"on_missing_input": "maybe"', 'must be one of skip, fail, end'),
]

const assertions: BadCase[] = [
  assertion('{"type": "contain", "value": "x"}', 'did you mean "contains" or "icontains"'),
  assertion('{"type": "llm-rubric", "value": "x"}', /unknown assertion type "llm-rubric"|llm-rubric/),
  assertion('{"type": 5}', 'type'),
  assertion('{}', 'type'),
  assertion('"x"', /assert/),
  assertion('{"type": "contains"}', 'value'),
  assertion('{"type": "contains", "value": ""}', 'every text contains the empty text'),
  assertion('{"type": "regex", "value": "(unclosed"}', 'unclosed'),
  assertion('{"type": "regex", "value": "a{100000}"}', /regex|repeat/),
  assertion('{"type": "json_path", "path": "$[", "value": 1}', 'path'),
  assertion('{"type": "json_schema", "value": {"type": "objekt"}}', 'must be one of string, number'),
  assertion('{"type": "json_schema", "value": {"$ref": "#/nowhere"}}', '#/nowhere'),
  assertion('{"type": "any_of", "assertions": []}', 'assertions'),
  assertion('{"type": "n_of", "n": 5, "assertions": [{"type": "contains", "value": "x"}]}', 'n'),
  assertion('{"type": "contains", "value": "x", "turn": 9}', 'there is no turn 9'),
  assertion('{"type": "tool_called"}', 'tool_called'),
  assertion('{"type": "latency", "max": "soon"}', 'bad duration "soon"'),
  assertion('{"type": "script", "use": "scripts:nowhere"}', 'no script "scripts:nowhere"'),
]

const texts: BadCase[] = [
  raw('cases.jsonl', '', 'no cases in'),
  raw('cases.jsonl', '\n\n// nothing\n# here\n', 'no cases in'),
  raw('cases.jsonl', '{"id": "x", "input": "hi"', /cases\.jsonl:1/),
  raw('cases.jsonl', '{"id": "x" "input": "hi"}', 'cases.jsonl:1:12'),
  raw('cases.jsonl', "{'id': 'x', 'input': 'hi'}", /cases\.jsonl:1.*invalid JSON/),
  raw('cases.jsonl', '[1, 2]', 'a case must be a JSON object'),
  raw('cases.jsonl', '"x"', /a case must be a JSON object|invalid JSON/),
  raw('cases.jsonl', 'null', /a case must be a JSON object|invalid JSON/),
  raw(
    'cases.jsonl',
    lines('{"id": "x", "input": "hi"}', '{"id": "x", "input": "ho"}'),
    'cases.jsonl:2:2: x: duplicate id "x"',
  ),
  raw('cases.jsonl', '{"input": "hi"}', 'id is missing'),
  raw('cases.jsonl', '{"id": "", "input": "hi"}', 'id'),
  raw('cases.jsonl', '{"id": 7, "input": "hi"}', 'id must be a string'),
  raw('cases.jsonl', '{"id": "x"}', 'no initial input'),
  raw('cases.jsonl', '\ufeff{"id": "x", "inputs": "hi"}', 'cases.jsonl:1:'),
  raw('cases.jsonl', Buffer.from('{"id": "x", "input": "hi"}', 'utf16le'), 'cases.jsonl:1:2: invalid JSON'),
  raw('cases.jsonl', Buffer.from('\ufeff{"id": "x", "input": "hi"}', 'utf16le'), 'UTF-8'),
  raw('cases.jsonl', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'UTF-8'),
  raw('cases.jsonl', '{"id": "x\0", "input": "hi"}', /cases\.jsonl:1/),
  raw('cases.jsonl', '\0\0\0\0', /cases\.jsonl:1/),
  raw('cases.jsonl', `{"id": "x", "input": "hi", "metadata": {"a": ${nested(5000)}}}`, 'nested deeper than'),
  raw('cases.jsonl', nested(100_000), /nested deeper than|a case must be/),
  raw('cases.jsonl', '{"defaults": {"timeuot": "1s"}}\n{"id": "x", "input": "hi"}', 'timeuot'),
  raw('x.cases.json', '', /x\.cases\.json/),
  raw('x.cases.json', '[{"id": "x", "input": "hi"},]', 'x.cases.json:1'),
  raw('x.cases.json', '{"cases": 5}', 'x.cases.json:1'),
  raw('x.cases.json', '[]', 'no cases in'),
  raw('x.cases.yaml', '', /x\.cases\.yaml/),
  raw('x.cases.yaml', lines('- id: x', '  input: hi', ' assert: 1'), /x\.cases\.yaml:3/),
  raw('x.cases.yaml', lines('- id: x', '  input: hi', '\tname: y'), /x\.cases\.yaml:3/),
  raw('x.cases.yaml', lines('- id: x', '  input: hi', '  id: y'), /x\.cases\.yaml:3/),
  raw(
    'x.cases.yaml',
    lines('- id: x', '  input: hi', '  asert: []'),
    /x\.cases\.yaml:3:\d+: x: unknown key "asert"/,
  ),
  raw(
    'x.cases.yaml',
    lines('- id: x', '  input: hi', '  asert:', '    - type: contains'),
    /x\.cases\.yaml:3:\d+: x: unknown key "asert"/,
  ),
  raw('x.cases.yaml', lines('- &a', '  id: x', '  input: hi', '  metadata: {self: *a}'), /x\.cases\.yaml:\d/),
  raw('x.cases.yaml', lines('- id: x', '  input: *nowhere'), /x\.cases\.yaml:2.*nowhere/),
  raw('x.cases.yaml', billionLaughs(), /x\.cases\.yaml/),
  raw('x.cases.yaml', '- id: x\n  input: !!js/function "x"\n', /x\.cases\.yaml:2/),
  raw('x.cases.yaml', '- id: x\n  input: {a: 1, ? [b]: 2}\n', /x\.cases\.yaml:2/),
  raw('x.cases.yaml', 'just a text\n', /x\.cases\.yaml:1/),
  raw('x.cases.csv', '', 'no cases in'),
  raw('x.cases.csv', 'id,input\n', 'no cases in'),
  raw('x.cases.csv', 'id,input\nx,"hi\n', /x\.cases\.csv:2/),
  raw('x.cases.csv', 'id,input\nx,hi,more\n', /x\.cases\.csv:2/),
  raw('x.cases.csv', 'id,inptu\nx,hi\n', /x\.cases\.csv:1.*inptu/),
  raw('x.cases.csv', 'id,id,input\nx,y,hi\n', /x\.cases\.csv:1/),
  raw('x.cases.csv', 'id,input,__proto__.polluted\nx,hi,1\n', /x\.cases\.csv:1.*__proto__/),
  raw('x.cases.ts', 'export default [{ id: "x", input: "hi", ', /x\.cases\.ts:1/),
  raw('x.cases.ts', 'throw new Error("not today")', /x\.cases\.ts.*not today/),
  raw('x.cases.ts', 'export default 5', /x\.cases\.ts/),
  raw('x.cases.ts', 'export const cases = []', /x\.cases\.ts/),
  raw('x.cases.ts', 'import "./nowhere.ts"\nexport default []', /nowhere/),
  raw('x.cases.ts', 'process.exit(0)', /x\.cases\.ts/),
]

const files: BadCase[] = [
  raw('nothing.jsonl', () => {}, 'no such file or folder'),
  raw('folder.jsonl', (path) => mkdirSync(path), 'no cases in'),
  raw('loop.jsonl', (path) => symlinkSync('loop.jsonl', path), 'loop.jsonl'),
  raw('dangling.jsonl', (path) => symlinkSync('nowhere.jsonl', path), 'dangling.jsonl'),
  raw('cases.toml', 'id = "x"', 'unknown type of case file ".toml"'),
  raw('locked.jsonl', (path) => makeUnreadable(path), 'locked.jsonl'),
  raw('folder/x.cases.yaml', (path) => createFolderLoop(path), 'no cases in'),
]

export const corpus: readonly BadCase[] = [...keysAndTypes, ...assertions, ...texts, ...files]

/** Ten levels of ten aliases. */
function billionLaughs(): string {
  const steps = Array.from(
    { length: 10 },
    (_, step) => `a${step + 1}: &a${step + 1} [${`*a${step}, `.repeat(10)}]`,
  )
  return lines('a0: &a0 lol', ...steps, '')
}

/** A file that may not be read; for root, who may read everything, a folder in its place. */
function makeUnreadable(path: string): void {
  if (process.getuid?.() === 0) {
    mkdirSync(path)
    return
  }
  writeFileSync(path, '{"id": "x", "input": "hi"}')
  chmodSync(path, 0)
}

/** A folder with a link to itself. */
function createFolderLoop(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync('.', join(dirname(path), 'again'))
}
