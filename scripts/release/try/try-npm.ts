import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DebianRoot, debianTar } from '../debian-tar.ts'
import { freshRoot, removeRoot } from './fresh-root.ts'
import { printed, tryStart } from './start-trial.ts'

/** Debian's own Node, of version 18, is too old, which has to be told in one line. */
const withOldNode: DebianRoot = {
  suite: 'bookworm',
  variant: 'minbase',
  include: ['nodejs'],
  architecture: 'amd64',
  hasDevices: true,
}
/** npx passes SIGTERM on, and ends by it. */
const npxEndCode = 143
const installMs = 300_000
const refusal = /^Perigee needs Node 24 or newer; this is v18\.\S+\. The archives of Perigee bring a Node along\.\n$/

/** By `npx` from the packed file, without a network: npm has what the package depends on in its cache. */
export async function tryNpm(file: string): Promise<string> {
  const root = freshRoot(debianTar(withOldNode))
  try {
    copyFileSync(file, join(root, 'perigee.tgz'))
    fillCache(file, join(root, 'npm-cache'))
    const old = await printed(root, 'cd /tmp && tar -xzf /perigee.tgz && ! node package/bin/perigee.js --version')
    if (!refusal.test(old)) throw new Error(`Node 18 was not refused in one line:\n${old}`)
    addNodeAndNpm(root)
    const npx = 'npx --yes --offline --cache=/npm-cache --package=/perigee.tgz perigee'
    const { secondsToFirstCheck } = await tryStart(root, { prepare: '', start: npx, endCode: npxEndCode })
    const again = await tryStart(root, { prepare: '', start: npx, endCode: npxEndCode })
    const version = (await printed(root, `cd && ${npx} --version`)).trim().split('\n').at(-1)
    return `version ${version}, ${secondsToFirstCheck.toFixed(1)} s from npx to the first check, ${again.secondsToFirstCheck.toFixed(1)} s at the second start; Node 18 is refused in a line`
  } finally {
    removeRoot(root)
  }
}

/** The one part that asks the registry, or the cache of this machine's npm. */
function fillCache(file: string, cache: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-npx-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{}')
    execFileSync('npm', ['install', `--cache=${cache}`, '--ignore-scripts', '--no-audit', '--no-fund', file], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: installMs,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  execFileSync('chmod', ['-R', 'a+rwX', cache])
}

/** The Node that runs this, and the npm of this machine. */
function addNodeAndNpm(root: string): void {
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  const npx = realpathSync(execFileSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).trim())
  const npm = dirname(dirname(npx))
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  writeFileSync(
    join(root, 'usr/local/bin/npx'),
    '#!/bin/sh\nexec /usr/local/bin/node /usr/local/lib/node_modules/npm/bin/npx-cli.js "$@"\n',
    { mode: 0o755 },
  )
}
