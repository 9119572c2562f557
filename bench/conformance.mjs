/**
 * How much of the official test suites viva's JSON Schema and JSONPath pass.
 *
 *   node bench/conformance.mjs --json-schema DIR --jsonpath FILE [--errors]
 *
 * DIR is a checkout of github.com/json-schema-org/JSON-Schema-Test-Suite, FILE is cts.json of
 * github.com/jsonpath-standard/jsonpath-compliance-test-suite. Without FILE the copy in an npm package is used, which is
 * a little older; no npm package carries a current JSON Schema suite.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { loadSource } from './load-source.mjs'

const drafts = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
}
const carrier = 'jsonpath-rfc9535@1.3.0'
const carried = 'package/src/__tests__/jsonpath-compliance-test-suite/cts.json'

const { values } = parseArgs({
  options: {
    'json-schema': { type: 'string' },
    jsonpath: { type: 'string' },
    errors: { type: 'boolean', default: false },
  },
})

const printed = []
if (values['json-schema'] === undefined) explain('JSON Schema', 'JSON-Schema-Test-Suite', '--json-schema DIR')
else await runJsonSchema(values['json-schema'])
const cts = readCts(values.jsonpath)
if (cts === undefined) explain('JSONPath', 'jsonpath-compliance-test-suite', '--jsonpath DIR/cts.json')
else await runJsonPath(cts)
printTable()
printFailures()

function explain(name, repository, flag) {
  const owner = name === 'JSONPath' ? 'jsonpath-standard' : 'json-schema-org'
  process.exitCode = 2
  console.error(`No ${name} suite: git clone https://github.com/${owner}/${repository} and give ${flag}`)
}

async function runJsonSchema(folder) {
  const { compileSchema } = await loadSource('src/json/schema/compile.ts')
  for (const [draft, $schema] of Object.entries(drafts)) {
    for (const part of ['', 'optional', 'optional/format']) {
      const name = `JSON Schema ${draft}${part === '' ? '' : `, ${part}`}`
      const groups = readGroups(join(folder, 'tests', draft, part))
      const outcomes = groups.flatMap((group) => judgeGroup(compileSchema, group, $schema))
      printed.push({ name, outcomes })
    }
  }
}

function readGroups(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return groups.map((group) => ({ ...group, file: file.replace('.json', '') }))
  })
}

/** A schema that viva refuses is told from a verdict that is wrong: a refusal is seen before a case is played. */
function judgeGroup(compileSchema, { file, description, schema, tests }, $schema) {
  // The suite names the draft by its folder.
  const whole = typeof schema === 'object' ? { $schema, ...schema } : schema
  const { problems, faults } = compileSchema(whole)
  const group = `${file}: ${description}`
  return tests.map(({ description: test, data, valid }) => {
    if (problems.length > 0) return { group, test, refused: problems[0].message }
    const verdict = attempt(() => faults(data).length === 0)
    return { group, test, passed: verdict.value === valid, thrown: verdict.error }
  })
}

async function runJsonPath({ tests }) {
  const { compileJsonPath } = await loadSource('src/json/rfc-9535.ts')
  const { compilePath } = await loadSource('src/json/path.ts')
  printed.push({
    name: 'JSONPath, RFC 9535',
    outcomes: tests.map((test) => judgePath(compileJsonPath, test)),
  })
  const valid = tests.filter(({ invalid_selector: invalid }) => !invalid)
  const findAll = (selector) => {
    const path = compilePath(selector)
    return (data) => path.find(data)
  }
  const outcomes = valid.map((test) => judgePath(findAll, withFound(test)))
  printed.push({ name: 'JSONPath, valid paths as checks read them', outcomes })
}

function judgePath(compile, { name, selector, document, invalid_selector: invalid, ...expected }) {
  const compiled = attempt(() => compile(selector))
  const group = name.split(',')[0]
  const test = `${name}: ${selector}`
  if (invalid) return { group, test, passed: compiled.error !== undefined }
  if (compiled.error !== undefined) return { group, test, refused: compiled.error }
  const found = attempt(() => compiled.value(document))
  const allowed = expected.results ?? [expected.result]
  return {
    group,
    test,
    passed: allowed.some((result) => isDeepStrictEqual(found.value, result)),
    thrown: found.error,
  }
}

/** Checks see one match as itself and several as a list. */
function withFound({ result, results, ...test }) {
  const found = (matches) => {
    if (matches.length === 0) return undefined
    return { value: matches.length === 1 ? matches[0] : matches }
  }
  return { ...test, results: (results ?? [result]).map(found) }
}

function attempt(work) {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error.message }
  }
}

function readCts(file) {
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'viva-cts-'))
  try {
    const [archive] = execFileSync('npm', ['pack', '--silent', carrier], {
      cwd: folder,
      encoding: 'utf8',
    }).split('\n')
    execFileSync('tar', ['xzf', archive, carried], { cwd: folder })
    return JSON.parse(readFileSync(join(folder, carried), 'utf8'))
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printTable() {
  if (printed.length === 0) return
  const rows = printed.map(({ name, outcomes }) => {
    const passed = outcomes.filter((outcome) => outcome.passed).length
    const refused = outcomes.filter((outcome) => outcome.refused !== undefined).length
    return [name, passed, outcomes.length - passed - refused, refused, outcomes.length]
  })
  for (const [name, ...counts] of [['', 'passed', 'wrong', 'refused', 'total'], ...rows]) {
    console.log(`${name.padEnd(44)}${counts.map((count) => String(count).padStart(8)).join('')}`)
  }
}

function printFailures() {
  for (const { name, outcomes } of printed) {
    const failed = outcomes.filter(({ passed }) => !passed)
    if (failed.length === 0) continue
    console.log(`\n${name}: failed`)
    for (const group of new Set(failed.map((outcome) => outcome.group))) {
      const those = failed.filter((outcome) => outcome.group === group)
      const [{ refused, thrown }] = those
      const why = refused === undefined ? (thrown ?? 'wrong') : `refused: ${refused}`
      console.log(`  ${group} (${those.length}): ${why.slice(0, 120)}`)
      if (values.errors) for (const { test } of those) console.log(`    ${test}`)
    }
  }
}
