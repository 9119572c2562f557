import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { defineConfig, type UserConfig } from 'tsdown'

/** Packages of many small files that every command loads: opening them one by one takes as long as a short run. */
const bundled = ['commander', 'eventsource-parser', 'jsonc-parser', 'zod']

/** Packages that only some runs need: a file each in `dist/packages`, which `requirePackage` loads when it is needed. */
const loadedLater = ['diff', 'json-p3', 'picomatch', 're2js', 'yaml']

const bundledFiles = bundled.map((name) => new RegExp(`^${name}(/|$)`))

const names = { function: true, class: true }

const node: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  deps: {
    // In declarations, zod stays a package: a copy of its types does not compile where `skipLibCheck` is off.
    alwaysBundle: (id, importer) =>
      bundledFiles.some((pattern) => pattern.test(id)) && !/\.d\.[cm]?ts$/.test(importer ?? ''),
  },
  // jsonc-parser's other entry loads its files with a require that no bundler sees.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
}

/**
 * What a command loads: every file takes Node half a millisecond, so shared modules are not split any further. A module
 * is in the first chunk whose entry imports it; what is imported dynamically is a file of its own.
 */
const commandChunks = [
  { name: 'main', test: /src\/(?:errors|version|system\/shell)\.ts$/, priority: 4 },
  { name: 'program', test: /src\/cli\/program\.ts$/, priority: 3 },
  { name: 'results', test: /src\/cli\/work\/(?:history|compare|report)\.ts$/, priority: 2 },
  { name: 'run', test: /src\/cli\/work\/test\.ts$/, priority: 1 },
]

export default defineConfig([
  {
    ...node,
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing.ts',
      vitest: 'src/vitest.ts',
      scripts: 'src/scripts.ts',
      'script-host': 'src/scripts/host/host.ts',
      'script-hooks': 'src/scripts/worker/hooks-thread.ts',
    },
    dts: true,
    clean: true,
  },
  // Apart from the library, because every thread keeps the text of its modules.
  {
    ...node,
    entry: { 'script-worker': 'src/scripts/worker/worker.ts' },
    // Names stay, because users' code can print functions and classes of ours.
    minify: {
      compress: { keepNames: names },
      mangle: { keepNames: names },
      codegen: { removeWhitespace: true },
    },
    dts: false,
    clean: false,
  },
  // Apart from the library, so that the command loads a few large files instead of the many that both would share.
  {
    ...node,
    entry: { main: 'src/cli/main.ts', program: 'src/cli/program.ts' },
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
    deps: { alwaysBundle: [...bundledFiles, /^undici\/lib\//] },
    outDir: 'dist/cli',
    dts: false,
    clean: false,
    outputOptions: { codeSplitting: { groups: commandChunks } },
  },
  {
    ...node,
    entry: Object.fromEntries(loadedLater.map((name) => [name, name])),
    outDir: 'dist/packages',
    format: 'cjs',
    // Node compiles less than half as much.
    minify: true,
    fixedExtension: true,
    deps: { alwaysBundle: [/./] },
    dts: false,
    clean: false,
    hooks: { 'build:done': writeLicences },
  },
  // The page of HTML reports: one script and one style, which `reporters/html-report.ts` puts into the file.
  {
    entry: { page: 'web/main.tsx' },
    outDir: 'dist/web',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'web/tsconfig.json',
    deps: { alwaysBundle: [/./] },
    minify: true,
    dts: false,
    clean: false,
    copy: [{ from: 'web/page.css', to: 'dist/web' }],
    outputOptions: { entryFileNames: 'page.js' },
  },
])

/** What the licences of the bundled packages ask for. */
function writeLicences(): void {
  const texts = [...bundled, ...loadedLater, 'preact', 'undici'].map((name) => {
    const folder = `node_modules/${name}`
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    if (file === undefined) throw new Error(`${name} has no licence file`)
    return `${name}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  })
  writeFileSync('dist/third-party-licences.txt', texts.join(`\n${'-'.repeat(80)}\n\n`))
}
