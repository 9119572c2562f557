import { extname } from 'node:path'
import type { HelperMode, OxcError, TransformOptions } from 'oxc-transform'
import { requirePackage } from '../../require-package.ts'
import { addErrorPlace, placeAt } from '../protocol/place.ts'
import { createOpening, isOpenModule } from './open-module.ts'
import { replaceYaoImports } from './yao-imports.ts'

export interface Compiled {
  format: 'module' | 'commonjs'
  code: string
}

const typescript = new Set(['.ts', '.mts', '.cts', '.tsx', '.jsx'])

const options: TransformOptions = {
  sourcemap: true,
  target: `node${process.versions.node}`,
  decorator: { legacy: true },
  // Helpers are looked up on a global, so that users need no package for them: see `compiled-helpers.ts`.
  helpers: { mode: 'External' as HelperMode },
}

function transform(file: string, source: string, how: TransformOptions) {
  const { transformSync } = requirePackage('oxc-transform') as typeof import('oxc-transform')
  return transformSync(file, source, how)
}

export function needsCompiling(file: string): boolean {
  return typescript.has(extname(file))
}

/** Compiles TypeScript to JavaScript in memory, with an inline source map. */
export function compile(file: string, source: string): Compiled {
  const given = replaceYaoImports(file, source)
  const { code: written, errors, map } = transform(file, given, options)
  throwFirstError(errors, file, given)
  // Left over from a file that imported only types; CommonJS cannot contain it.
  const code = written.replace(/^#!.*/, '').replace(/^export \{\};$/m, '')
  const format = detectFormat(file, code)
  const opening = isOpenModule(file) ? createOpening(file, source, format === 'module') : undefined
  const names = format === 'module' ? declareCommonJsNames(code) : ''
  const head = `${opening?.prelude ?? ''}${names}`
  const prelude = head === '' ? '' : `${head}\n`
  // A `;` before the mappings says that the prelude's line has no source.
  const mappings = `${prelude === '' ? '' : ';'}${map?.mappings ?? ''}`
  const encoded = Buffer.from(JSON.stringify({ ...map, mappings })).toString('base64')
  const body = `${prelude}${code}\n${opening?.tail ?? ''}`
  return { format, code: `${body}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n` }
}

/** Node runs JavaScript as it is, but does not say where a module's syntax error is. */
export function checkSyntax(file: string, source: string): void {
  if (extname(file) !== '.mjs' && !hasModuleSyntax(source)) return
  throwFirstError(transform(file, source, { lang: 'js', sourceType: 'module' }).errors, file, source)
}

function detectFormat(file: string, code: string): Compiled['format'] {
  if (extname(file) === '.mts' || hasModuleSyntax(code)) return 'module'
  // A file that only requires is a module, too: it gets a `require`, and the bindings of the tested file.
  const usesCommonJs = /\b(?:module\.exports|exports\.\w)/.test(code)
  return usesCommonJs || extname(file) === '.cts' ? 'commonjs' : 'module'
}

function hasModuleSyntax(code: string): boolean {
  return /^(?:import\b(?!\s*\()|export\b)/m.test(code)
}

/** TypeScript written for CommonJS mixes `import` with these names. */
function declareCommonJsNames(code: string): string {
  const values = {
    __filename: 'import.meta.filename',
    __dirname: 'import.meta.dirname',
    require: "process.getBuiltinModule('node:module').createRequire(import.meta.url)",
  }
  const declarations = Object.entries(values)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(code))
    .filter(
      ([name]) =>
        !new RegExp(`\\b(?:const|let|var|function|import(?!\\.))\\b[^;=(]*\\b${name}\\b`).test(code),
    )
    .map(([name, value]) => `const ${name} = ${value};`)
  return declarations.join(' ')
}

function throwFirstError(errors: OxcError[], file: string, source: string): void {
  const error = errors.find(({ severity }) => severity === 'Error')
  if (error === undefined) return
  const bytes = error.labels[0]?.start ?? 0
  const place = placeAt(file, source, Buffer.from(source).subarray(0, bytes).toString().length)
  const help = error.helpMessage === null ? '' : ` (${error.helpMessage})`
  throw addErrorPlace(new SyntaxError(`${error.message}${help}`), place)
}
