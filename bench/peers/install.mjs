/** Installs peers into a folder outside of the repository, $VIVA_BENCH_PEERS or one in the folder for temporary files. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = process.env.VIVA_BENCH_PEERS ?? join(tmpdir(), 'viva-bench-peers')
const here = fileURLToPath(new URL('.', import.meta.url))
const minutes = 60_000

/** Returns the folder in which the programs of the peer can be run. What is installed already is kept. */
export async function installPeer(peer) {
  const folder = join(root, peer.folder)
  const wanted = JSON.stringify([peer.packages, peer.git?.commit])
  const installed = join(folder, 'installed.json')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    console.log(`installing ${peer.name} …`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await (peer.git ? installFromGit : installFromNpm)(peer, folder)
    writeFileSync(installed, wanted)
  }
  cpSync(join(here, peer.folder), folder, { recursive: true })
  cpSync(join(here, 'call-model.mjs'), join(folder, 'call-model.mjs'))
  return folder
}

async function installFromNpm({ packages }, folder) {
  const manifest = { private: true, type: 'module', dependencies: packages }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await execute('npm', ['install', '--no-audit', '--no-fund'], folder)
}

/** A workspace of pnpm, whose packages are linked into the folder after they were built. */
async function installFromGit({ git, packages }, folder) {
  await execute('git', ['clone', '--quiet', git.url, 'repository'], folder)
  const repository = join(folder, 'repository')
  await execute('git', ['checkout', '--quiet', git.commit], repository)
  await execute('npx', ['--yes', git.pnpm, 'install', '--frozen-lockfile'], repository)
  await execute('npx', ['--yes', git.pnpm, 'build'], repository)
  await installFromNpm({ packages }, folder)
  for (const [name, path] of Object.entries(git.links)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(repository, path), link)
  }
}

async function execute(command, parameters, cwd) {
  try {
    await promisify(execFile)(command, parameters, { cwd, timeout: 10 * minutes, maxBuffer: 1e8 })
  } catch (error) {
    throw new Error(firstError(error))
  }
}

/** The line of a failed command that says why. */
function firstError({ cmd, stderr, message }) {
  const lines = (stderr || message).split('\n').filter((line) => /error|fatal/i.test(line))
  return `\`${cmd}\` failed: ${(lines[0] ?? message).trim()}`
}
