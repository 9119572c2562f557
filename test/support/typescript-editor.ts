import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The files of the standard library are parsed once. */
const registry = ts.createDocumentRegistry()

/** What an editor shows for a TypeScript file in a project: errors, and the completions at `▮` with their doc comments. */
export function showTypeScript(
  cwd: string,
  name: string,
  text: string,
): { problems: string[]; document(label: string): string | undefined } {
  const offset = text.indexOf('▮')
  const path = join(cwd, name)
  const source = text.replace('▮', '')
  const read = (file: string) =>
    file === path ? source : existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: [],
    }),
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot(file) {
      const content = read(file)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => cwd,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => read(file) !== undefined,
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (file) => ts.sys.realpath?.(file) ?? file,
  }
  const service = ts.createLanguageService(host, registry)
  const problems = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
  return {
    problems: problems.map(({ messageText, start = 0, length = 0 }) => {
      return `${source.slice(start, start + length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
    /** The doc comment of a completion; undefined if it is not offered. */
    document(label) {
      const offered = service.getCompletionsAtPosition(path, offset, {})?.entries ?? []
      if (!offered.some((entry) => entry.name === label)) return undefined
      const details = service.getCompletionEntryDetails(path, offset, label, {}, undefined, {}, undefined)
      return ts.displayPartsToString(details?.documentation).replaceAll('\n', ' ')
    },
  }
}
