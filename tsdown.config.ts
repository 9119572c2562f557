import { defineConfig } from 'tsdown'

/** Packages of many small files that every command loads: opening them one by one takes as long as a short run. */
const bundled = ['commander', 'eventsource-parser', 'jsonc-parser', 'zod']

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing.ts',
      vitest: 'src/vitest.ts',
      scripts: 'src/scripts.ts',
      cli: 'src/cli/main.ts',
      program: 'src/cli/program.ts',
      'script-host': 'src/scripts/host/host.ts',
      'script-worker': 'src/scripts/worker/worker.ts',
      'script-hooks': 'src/scripts/worker/hooks.ts',
    },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    fixedExtension: false,
    deps: { alwaysBundle: bundled.map((name) => new RegExp(`^${name}(/|$)`)) },
    // jsonc-parser's other entry loads its files with a require that no bundler sees.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    dts: true,
    clean: true,
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
