import { parseTopLevel } from './top-level.ts'

const yaoPackage = /^@yao(?:apps)?\//

/**
 * Replaces `import { Process } from "@yao/runtime"`: there are no such packages to load. They export types, which are gone
 * by now, and globals; so each import becomes a read of the global object, on the same lines.
 */
export function replaceYaoImports(file: string, source: string): string {
  if (!/["']@yao(?:apps)?\//.test(source)) return source
  const imports = parseTopLevel(file, source).imports.filter(({ from }) => yaoPackage.test(from))
  return imports.reduceRight((text, { start, end, names }) => {
    const declarations = names.map(({ local, imported }) => {
      if (imported === '*' || imported === 'default') return `${local}=globalThis`
      return `${local}=globalThis[${JSON.stringify(imported)}]`
    })
    const lines = '\n'.repeat(text.slice(start, end).split('\n').length - 1)
    const code = declarations.length === 0 ? '' : `const ${declarations.join(',')};`
    return text.slice(0, start) + code + lines + text.slice(end)
  }, source)
}
