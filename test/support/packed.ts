import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Ended, ended, repository } from './command.ts'

/** The package as it would be published, installed without a network. */
export interface PackedViva {
  /** The command of the installed package. */
  bin: string
  /** Makes it, and packages of this repository, dependencies of a folder. */
  install(cwd: string, ...others: string[]): void
  remove(): void
}

export function packViva(): PackedViva {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-packed-')))
  chmodSync(folder, 0o755)
  const modules = join(folder, 'node_modules')
  const unpacked = join(modules, 'vivavoce')
  mkdirSync(unpacked, { recursive: true })
  // The package is already built; its scripts would build it again while other tests run it.
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components', '1'])
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) link(name, modules)
  return {
    bin: join(unpacked, 'bin/viva.js'),
    install(cwd, ...others) {
      mkdirSync(join(cwd, 'node_modules'), { recursive: true })
      symlinkSync(unpacked, join(cwd, 'node_modules/vivavoce'))
      for (const name of others) link(name, join(cwd, 'node_modules'))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function link(name: string, modules: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(repository, 'node_modules', name), join(modules, name))
}

/** Variables by which `viva init` finds models: those of the machine must not decide a test. */
const modelVariables =
  /^(?:OPENAI|ANTHROPIC|OPENROUTER|GROQ|MISTRAL|DEEPSEEK|TOGETHER|OLLAMA)_|^(?:PORT|CI|GITHUB_ACTIONS|FORCE_COLOR)$/

export function withoutModels(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && !modelVariables.test(name),
  )
  return Object.fromEntries(kept) as Record<string, string>
}

/** Runs the packed command to its end, without a terminal. */
export function runPacked(
  { bin }: PackedViva,
  args: readonly string[],
  { cwd, env = {}, uid }: { cwd: string; env?: Record<string, string>; uid?: number },
): Promise<Ended> {
  return ended(
    spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...withoutModels(), NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
    }),
  )
}
