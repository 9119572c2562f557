import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { untold } from './support/mistakes.ts'
import { echoAgent, jsonl, project, viva } from './support/viva.ts'

const tenMistakes = `// Ten cases, ten different mistakes.
{"id": "typo", "input": "hi", "asserts": []}
{"id": "wrong-type", "input": "hi", "timeout": 30}
{"id": "duration", "input": "hi", "timeout": "-5s"}
{"id": "both", "input": "hi", "assert": [], "assertions": []}
{"id": "typo", "input": "hi"}
{"id": "regex", "input": "hi", "assert": {"type": "regex", "value": "(unclosed"}}
{"id": "needs", "input": "hi", "assert": {"type": "contains"}}
{"id": "unknown-type", "input": "hi", "assert": {"type": "contain", "value": "x"}}
{"id": "input-and-turns", "input": "hi", "turns": [{"input": "ho"}]}
{"id": "later", "input": "hi", "before": "scripts:env.Before"}
{"id": "typo2", "input": "hi" "name": "a comma is missing"}
`

describe('case files with mistakes', () => {
  it('all mistakes in a case file are reported at once, and no agent is called', async () => {
    const server = await startFakeOpenAIServer()
    const cwd = project({ 'cases.jsonl': tenMistakes })
    const { exitCode, stderr, stdout } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`],
      { cwd },
    )
    await server.close()
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(server.requests).toHaveLength(0)
    expect(stderr.trimEnd().split('\n')).toEqual([
      '✗ cases.jsonl:2:31: typo: unknown key "asserts" (did you mean "assert"?)',
      '✗ cases.jsonl:3:37: wrong-type: timeout must be a string, got a number',
      '✗ cases.jsonl:4:35: duration: timeout: bad duration "-5s": use Go\'s form, like "30s", "1m30s" or "250ms"',
      '✗ cases.jsonl:5:45: both: `assert` and `assertions` are the same: use one',
      '✗ cases.jsonl:6:2: typo: duplicate id "typo", first used on line 2',
      expect.stringContaining('cases.jsonl:7:'),
      expect.stringContaining('cases.jsonl:8:'),
      expect.stringContaining('did you mean "contains" or "icontains"'),
      '✗ cases.jsonl:10:42: input-and-turns: `input` with `turns`: put the input into the first turn',
      '✗ cases.jsonl:11:32: later: before: no script "scripts:env.Before": there is neither env/Before.ts nor a function of env.ts in .',
      '✗ cases.jsonl:12:31: invalid JSON: comma expected',
      '11 errors. Nothing was run.',
    ])
    expect(readdirSync(cwd)).toEqual(['cases.jsonl'])
  })

  it('a case file that is not UTF-8 is refused with file and line, in every format', async () => {
    const files = {
      'a.jsonl': '{"id": "a", "input": "hi"}\n{"id": "b", "input": "caf\u00e9"}\n',
      'b.cases.json': '[{"id": "a",\n"input": "caf\u00e9"}]',
      'c.cases.yaml': '- id: a\n  input: caf\u00e9\n',
      'd.cases.csv': 'id,input\na,caf\u00e9\n',
    }
    const cwd = project({ 'agent.mjs': echoAgent })
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(cwd, name), Buffer.from(text, 'latin1'))
    const inputs = Object.keys(files).flatMap((name) => ['-i', name])
    const { exitCode, stderr } = await viva(['test', ...inputs, '-n', './agent.mjs'], { cwd })
    expect(exitCode).toBe(2)
    for (const name of Object.keys(files))
      expect(stderr).toMatch(
        new RegExp(`^✗ ${name}:2:\\d+: not valid UTF-8 \\(save the file as UTF-8\\)$`, 'm'),
      )
  })

  const refused: [string, string, string][] = [
    [
      'an unknown key deep inside',
      '{"id":"x","turns":[{"input":"a","asert":[]}]}',
      'unknown key "asert" in turns[0] (did you mean "assert"?)',
    ],
    [
      'a key of another type of assertion',
      '{"id":"x","input":"a","assert":{"type":"contains","value":"a","call":"b"}}',
      'unknown key "call" in assert ("call" belongs with type "state")',
    ],
    [
      'a key that belongs elsewhere in the case',
      '{"id":"x","input":"a","goal":"b"}',
      'unknown key "goal" ("goal" belongs in simulator)',
    ],
    [
      'a list of names of tools',
      '{"id":"x","input":"a","assert":{"type":"tool_not_called","name":["b","c"]}}',
      'assert.name: must be one name, got a list: write a list as "value"',
    ],
    [
      'an assertion type of another tool',
      '{"id":"x","input":"a","assert":{"type":"llm-rubric","value":"b"}}',
      'unknown assertion type "llm-rubric" (did you mean "judge"?): the types are equals, contains,',
    ],
    [
      'a key of 5,000 characters',
      `{"id":"x","input":"a","${'k'.repeat(5000)}":1}`,
      `unknown key "${'k'.repeat(80)}…"`,
    ],
    [
      'a value of 5,000 characters',
      `{"id":"x","input":"a","timeout":"${'k'.repeat(5000)}"}`,
      `bad duration "${'k'.repeat(80)}…": use Go's form`,
    ],
    [
      'an id of 5,000 characters',
      `{"id":"${'k'.repeat(5000)}","inptu":"a"}`,
      `${'k'.repeat(80)}…: unknown key "inptu" (did you mean "input"?)`,
    ],
    [
      'a pattern of 5,000 characters',
      `{"id":"x","input":"a","assert":{"type":"regex","value":"(${'k'.repeat(5000)}"}}`,
      `missing closing ): \`(${'k'.repeat(78)}…`,
    ],
    ['a missing id', '{"input":"a"}', 'id is missing'],
    ['no input at all', '{"id":"x"}', 'no initial input'],
    ['empty turns', '{"id":"x","turns":[]}', 'turns must not be empty'],
    [
      'an assertion on a turn that does not exist',
      '{"id":"x","input":"a","assert":{"type":"contains","value":"x","turn":9}}',
      'there is no turn 9: the last one here is turn 1',
    ],
    [
      'such an assertion in a group',
      '{"id":"x","input":"a","assert":{"type":"any_of","assertions":[{"type":"all_of","assertions":[{"type":"contains","value":"x","turn":9}]}]}}',
      'there is no turn 9: the last one here is turn 1',
    ],
    [
      'such an assertion in a turn',
      '{"id":"x","turns":[{"input":"a","assert":{"type":"contains","value":"x","turn":9}}]}',
      'there is no turn 9: the last one here is turn 1',
    ],
    [
      'an assertion on a turn that is still to come',
      '{"id":"x","messages":[{"role":"user","content":"a"}],"turns":[{"input":"b","assert":{"type":"contains","value":"x","turn":3}},{"input":"c"}]}',
      'there is no turn 3: the last one here is turn 2',
    ],
    [
      'an empty text to look for',
      '{"id":"x","input":"a","assert":{"type":"contains","value":""}}',
      'every text contains the empty text',
    ],
    [
      'a connector for an agent that has none',
      '{"id":"x","input":"a","options":{"connector":"c"}}',
      'has no connector to choose',
    ],
    ['two values on a line', '{"id":"x","input":"a"} {"id":"y"}', 'more text after the value'],
    [
      'an opening beside an input',
      '{"id":"x","input":"a","simulator":{"use":"s","opening":"b"}}',
      '`opening` with `input`: only one can be the first message',
    ],
    [
      'an opening beside turns',
      '{"id":"x","turns":[{"input":"a"}],"simulator":{"use":"s","opening":"b"}}',
      '`opening` with `turns`: only one can be the first message',
    ],
    [
      'an opening beside messages that end with the user’s',
      '{"id":"x","messages":[{"role":"user","content":"a"}],"simulator":{"use":"s","opening":"b"}}',
      '`opening` with `messages`: only one can be the first message',
    ],
    [
      'single_turn with an opening and a turn',
      '{"id":"x","type":"single_turn","messages":[{"role":"user","content":"a"}],"turns":[{"input":"b"}]}',
      'single_turn with 2 turns',
    ],
    [
      'max_turns below the turns',
      '{"id":"x","max_turns":1,"turns":[{"input":"a"},{"input":"b"}]}',
      'max_turns is 1, but there are 2 turns',
    ],
    ['max_turns of zero', '{"id":"x","max_turns":0,"input":"a"}', 'max_turns'],
    [
      'single_turn with several turns',
      '{"id":"x","type":"single_turn","turns":[{"input":"a"},{"input":"b"}]}',
      'single_turn with 2 turns',
    ],
    ['a misspelt role', '{"id":"x","input":{"role":"usr","content":"a"}}', 'did you mean "user"?'],
    [
      'an input in the voice of the assistant',
      '{"id":"x","input":{"role":"assistant","content":"a"}}',
      'must be user',
    ],
    [
      'a history that ends with the assistant',
      '{"id":"x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}',
      'no initial input',
    ],
    ['a key that appears twice', '{"id":"x","input":"a","assert":[],"assert":[]}', 'duplicate key "assert"'],
    ['a bare number as duration', '{"id":"x","input":"a","timeout":"30"}', 'bad duration "30"'],
    [
      'a duration that no timer can hold',
      '{"id":"x","input":"a","timeout":"1000000h"}',
      'bad duration "1000000h": must be at most 596h (24 days)',
    ],
    ['a zero duration', '{"id":"x","input":"a","timeout":"0s"}', 'bad duration "0s"'],
    [
      'on_missing_input: maybe',
      '{"id":"x","input":"a","on_missing_input":"maybe"}',
      'must be one of skip, fail, end',
    ],
    [
      'an invalid JSONPath',
      '{"id":"x","input":"a","assert":{"type":"json_path","path":"$[","value":1}}',
      'x: ',
    ],
    [
      'an object that is never closed',
      '{"id":"x","input":"a"\n{"id":"y","inptu":"a"}',
      'unknown key "inptu"',
    ],
    ['a case that is not an object', '["a"]', 'a case must be a JSON object'],
    ['a data input for an agent that takes messages', '{"id":"x","input":{"city":"Rome"}}', 'takes messages'],
    [
      'nesting that is too deep',
      `{"id":"x","input":"a","metadata":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
      'nested deeper than 200 levels',
    ],
  ]
  it('each of many mistakes in one file is reported at its own place', async () => {
    const mistakes = refused.map(([, text, message]) => ({ file: 'cases.jsonl', text: `${text}\n`, message }))
    const agent = 'openai:http://127.0.0.1:9/v1#m'
    expect(await untold(mistakes, agent)).toEqual({ exitCode: 2, untold: [] })
  })
})

describe('runs with nothing to judge', () => {
  const empty: [string, string[], string][] = [
    ['an empty file', ['-i', 'empty.jsonl'], 'no cases in empty.jsonl'],
    ['a file of comments', ['-i', 'comments.jsonl'], 'no cases in comments.jsonl'],
    ['an empty folder', ['-i', 'folder'], 'no cases in folder'],
    [
      'a filter that matches nothing',
      ['-i', 'cases.jsonl', '--run', 'nothing'],
      'the only case does not match the filter',
    ],
    [
      'a tag that matches nothing',
      ['-i', 'cases.jsonl', '--tag', 'nothing'],
      'the only case does not match the filter',
    ],
    ['a filter that is not a regular expression', ['-i', 'cases.jsonl', '--run', '('], '--run "("'],
    ['a file that does not exist', ['-i', 'tests/none.jsonl'], 'no such file or folder: tests/none.jsonl'],
    ['a misspelt extension', ['-i', 'cases.jsnl'], 'no such file or folder: cases.jsnl'],
    ['a file of results', ['-i', 'results.jsonl'], 'results.jsonl: a results file, not cases'],
    ['a copy of a case file', ['-i', 'none.jsonl.bak'], 'did you mean a .jsonl file?'],
    ['a folder with a file that is not a suite', ['-i', 'later'], 'later/more.suite.ts:1:'],
    ['no input', [], 'nothing to test'],
    [
      'unchecked cases with --require-checks',
      ['-i', 'cases.jsonl', '--require-checks'],
      'cases.jsonl:1: hello: checks nothing',
    ],
  ]
  for (const [what, args, message] of empty) {
    it(`viva test exits with 2 for ${what}`, async () => {
      const cwd = project({
        'agent.mjs': echoAgent,
        'empty.jsonl': '',
        'results.jsonl': '{"type":"start","schema_version":1}\n',
        'later/cases.jsonl': jsonl({ id: 'hello', input: 'hello' }),
        'later/more.suite.ts': '',
        'comments.jsonl': '// nothing\n\n# here\n',
        'cases.jsonl': jsonl({ id: 'hello', input: 'hello' }),
      })
      mkdirSync(join(cwd, 'folder'))
      const { exitCode, stderr } = await viva(['test', '-n', './agent.mjs', ...args], { cwd })
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
    })
  }
})

describe('mistakes in flags', () => {
  const wrong: [string[], string][] = [
    [['--paralel', '4'], "unknown option '--paralel'"],
    [['--parallel', '0'], '--parallel 0: must be a whole number from 1 to 1000'],
    [['--parallel', 'many'], '--parallel many: must be a whole number'],
    [['--timeout', '30'], '--timeout 30: must be a duration'],
    [['--timeout', '1000000h'], '--timeout 1000000h: must be at most 596h (24 days)'],
    [['--runs', '0'], '--runs 0: must be a whole number from 1 to 1000'],
    [['--replay', 'notes.json'], 'notes.json is not a recording of viva'],
    [['--before-all', 'env.Before'], '--before-all: no script "env.Before"'],
    [['--simulator', 'scripts:nobody'], '--simulator: no script "scripts:nobody"'],
    [['-o', 'report.pdf'], 'unknown format ".pdf"'],
    [['-o', 'cases.jsonl'], 'cases.jsonl is an input of the run'],
    [['-o', 'more.jsonl'], 'was not written by viva'],
    [['-o', 'notes.json'], 'was not written by viva'],
    [['-r', 'report.json', '-o', 'agent.mjs'], 'was not written by viva'],
    [['-o', 'x.json', '-o', './x.json'], 'x.json is given twice'],
    [['-r', 'report.beautiful'], '-r report.beautiful: unknown agent "report.beautiful"'],
    [['-n', './nobody.ts'], 'no such file'],
    [['-c', 'gpt'], '-c gpt: ./agent.mjs has no connector to override'],
    [['--ctx', 'none.json'], '--ctx'],
    [['--resume', 'cases.jsonl'], 'not a results file of viva'],
    [['--resume', '.'], 'no such file'],
    [['--json', '-r', 'report.json'], 'goes to stdout, where --json is'],
    [['-r', 'report.json', '-o', 'x.jsonl'], 'writes no JSONL'],
    [['--ctx', 'none.json', '--dry-run'], '--ctx'],
    [['-o', 'x.pdf', '--dry-run'], 'unknown format'],
    [['--on-missing-input', 'maybe'], 'must be one of skip, fail, end'],
  ]
  for (const [args, message] of wrong) {
    it(`a mistake in a flag is reported and no file is changed: ${args.join(' ')}`, async () => {
      const files = {
        'agent.mjs': echoAgent,
        'cases.jsonl': jsonl({ id: 'a', input: 'a' }),
        'more.jsonl': jsonl({ id: 'b', input: 'b' }),
        'notes.json': '{"summary": "of our own"}',
      }
      const cwd = project(files)
      const { exitCode, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', ...args], {
        cwd,
      })
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
      for (const [name, text] of Object.entries(files))
        expect(readFileSync(join(cwd, name), 'utf8')).toBe(text)
    })
  }
})
