import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
    scripts: 'src/scripts/user-types.ts',
    cli: 'src/cli/main.ts',
    'script-host': 'src/scripts/host.ts',
    'script-worker': 'src/scripts/worker.ts',
    'script-hooks': 'src/scripts/hooks.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: true,
  clean: true,
})
