// A box around Chromium: a file system of programs alone, no other processes, and a network that has nothing but itself.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MissingMeans } from '#net/dial/own-trouble.ts'

export type BrowserBox = {
  program: string
  /** The arguments that make the box, up to the program in it, for a visit whose socket is in this folder. */
  argumentsFor: (folder: string) => readonly string[]
  /** The user that the box is outside; undefined for the one of this process. */
  uid: number | undefined
}

const bubblewrap = 'bwrap'
const searchPath = '/usr/local/bin:/usr/bin:/bin'
/** Debian and its like call it chromium, others as Google does. */
const usualPrograms = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const timeoutMs = 15_000
const retryMs = 600_000
/** Chromium refuses its sandbox to root. On Linux this is the user "nobody". */
const nobody = 65_534
/** What the browser and its pages keep while they are visited lies in memory. */
const maxFilesBytes = 256 * 1024 * 1024
export const waySocketName = 'way.sock'

/** What Chromium, Node and fonts need, of the systems that bubblewrap runs on. What is not there is left out. */
const readable = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt/google',
  '/nix/store',
  '/etc/alternatives',
  '/etc/chromium',
  '/etc/chromium.d',
  '/etc/fonts',
  '/etc/group',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/ssl/certs',
]

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))
const remedy = 'its operator has to install Chromium and bubblewrap, and to allow user namespaces'

/**
 * Finds out whether pages can be visited here: Chromium is asked for its version in a box. Rejects with `MissingMeans`
 * where there is none, and looks again ten minutes later.
 */
export function createBrowserBoxes(chromium: string | null, nowMs: () => number): () => Promise<BrowserBox> {
  let known: { found: Promise<BrowserBox>; retryAt: number } | null = null
  return () => {
    if (known !== null && nowMs() < known.retryAt) return known.found
    const entry = { found: findBox(chromium), retryAt: Infinity }
    known = entry
    entry.found.catch(() => void (entry.retryAt = nowMs() + retryMs))
    return entry.found
  }
}

async function findBox(chosen: string | null): Promise<BrowserBox> {
  const program = chosen ?? usualPrograms.flatMap(pathsOf).find((path) => existsSync(path)) ?? null
  if (program === null) throw missing('no Chromium was found')
  const box = { program: bubblewrap, uid: process.getuid?.() === 0 ? nobody : undefined }
  const shown = ['--ro-bind-try', dirname(program), dirname(program)]
  const made = [...boxArguments, ...shown]
  const told = await run([...made, program, '--version'], box.uid)
  if (told !== null) throw missing(told)
  const words = ['/box/node', '/box/src/net/browser/box/run.ts', program, join('/box/way', waySocketName)]
  const argumentsFor = (folder: string): string[] =>
    [made, programArguments(), ['--ro-bind', folder, '/box/way'], words].flat()
  return { ...box, argumentsFor }
}

function pathsOf(name: string): string[] {
  return searchPath.split(':').map((folder) => join(folder, name))
}

function missing(why: string): MissingMeans {
  return new MissingMeans(`Pages cannot be visited with a browser at this location: ${remedy}`, new Error(why))
}

const boxArguments = [
  ['--unshare-all', '--die-with-parent', '--new-session'],
  ['--uid', `${nobody}`, '--gid', `${nobody}`],
  ['--cap-drop', 'ALL'],
  ...readable.map((path) => ['--ro-bind-try', path, path]),
  ['--proc', '/proc'],
  ['--dev', '/dev'],
  ['--size', `${maxFilesBytes}`, '--tmpfs', '/tmp'],
  ['--setenv', 'HOME', '/tmp'],
  ['--setenv', 'PATH', searchPath],
  ['--chdir', '/tmp'],
].flat()

/** Node, this package's program for the box, and what it imports. */
function programArguments(): string[] {
  const words = 'src/net/browser/page-words.ts'
  return [
    ['--ro-bind', process.execPath, '/box/node'],
    ['--ro-bind', join(packageRoot, 'package.json'), '/box/package.json'],
    ['--ro-bind', join(packageRoot, 'src/net/browser/box'), '/box/src/net/browser/box'],
    ['--ro-bind', join(packageRoot, words), join('/box', words)],
    ...['playwright-core', 'playwright'].map(boundPackage),
  ].flat()
}

function boundPackage(name: string): string[] {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
  return ['--ro-bind', folder, join('/box/node_modules', name)]
}

/** Null for a program that ended well, else why it did not. */
function run(words: readonly string[], uid: number | undefined): Promise<string | null> {
  const options = { timeout: timeoutMs, env: { PATH: searchPath }, ...(uid === undefined ? {} : { uid, gid: uid }) }
  return new Promise((resolve) => {
    execFile(bubblewrap, words, options, (error, _output, problem) => {
      resolve(error === null ? null : `${error.message} ${problem}`.slice(0, 1_000))
    })
  })
}
