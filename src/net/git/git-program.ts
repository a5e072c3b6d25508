import { type ChildProcess, spawn } from 'node:child_process'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

export type GitOrder = {
  arguments: readonly string[]
  /** Added to the fixed environment. Secrets travel here and never in the arguments, which every user can read. */
  environment: Readonly<Record<string, string>>
  folder: string
  /** The words before git's own, with which it runs in a box (`git-box.ts`). Default: none. */
  box?: readonly string[]
  input?: string
  /** Called with each piece of the output; returning false ends the program, because the output was enough. */
  onOutput?: (piece: Buffer) => boolean
}

/** `words` is the end of git's error output. */
export type GitEnding =
  | { type: 'success' }
  | { type: 'failure'; code: number | null; words: string }
  | { type: 'enough' }
  | { type: 'aborted' }

/** No file that git writes grows beyond this, which limits what a server can send. */
export const maxFileMib = 64
/** Addresses of each process: several times what git takes for the largest file and pack that it may read. */
const maxMemoryMib = 2048
/** Processor time of each process, so that none outlives for long a prober that was killed. */
const maxCpuSeconds = 60
/** Exit codes of a shell that finds no program to run, or may not run it. */
export const missingCodes: readonly (number | null)[] = [126, 127]

const maxWordsLength = 8192
const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin'

/**
 * Git reads no configuration of this machine or its user and never asks for a password. A single allocation is limited
 * too, because a few bytes of a pack can claim to be gigabytes.
 */
const fixedEnvironment: Readonly<Record<string, string>> = {
  PATH: searchPath,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOC_LIMIT: '64m',
}

/**
 * Limits that the kernel enforces, in POSIX units (blocks of 512 bytes). A limit that a system does not know is
 * skipped. SIGXFSZ is ignored, so that git itself reports a file that got too large.
 */
const limited = `trap '' XFSZ 2>/dev/null; ulimit -c 0 2>/dev/null; ulimit -f ${maxFileMib * 2048} 2>/dev/null; ulimit -t ${maxCpuSeconds} 2>/dev/null; ulimit -v ${maxMemoryMib * 1024} 2>/dev/null; exec "$@"`

/**
 * Runs git in a process group of its own, which has ended when this returns: an abort, or enough output, kills the
 * whole group. Throws `OwnTrouble` when this machine can start no process.
 */
export function runGit(program: string, order: GitOrder, signal: AbortSignal): Promise<GitEnding> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve({ type: 'aborted' })
    const child = spawn('/bin/sh', ['-c', limited, 'sh', ...(order.box ?? []), program, ...order.arguments], {
      cwd: order.folder,
      env: { ...fixedEnvironment, HOME: order.folder, ...order.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    let stopped: GitEnding | null = null
    let words = ''
    function stop(ending: GitEnding): void {
      stopped ??= ending
      killGroup(child)
    }
    const onAbort = (): void => stop({ type: 'aborted' })
    signal.addEventListener('abort', onAbort)
    child.stdout.on('data', (piece: Buffer) => {
      if (stopped === null && order.onOutput?.(piece) === false) stop({ type: 'enough' })
    })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      words = (words + piece).slice(-maxWordsLength)
    })
    // The exit code tells of a program that ends without reading its input.
    child.stdin.on('error', () => {})
    child.stdin.end(order.input ?? '')
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', onAbort)
      reject(new OwnTrouble(error.code ?? 'EUNKNOWN', error, `This machine cannot start git now (${error.code}).`))
    })
    child.once('exit', (code) => {
      if (code !== 0) killGroup(child)
    })
    child.once('close', (code) => {
      signal.removeEventListener('abort', onAbort)
      resolve(
        stopped ??
          (code === 0 ? { type: 'success' } : { type: 'failure', code, words: words.replaceAll(order.folder, '') }),
      )
    })
  })
}

/** Kills the whole group, because git's helpers for the network and for packs are processes too. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
