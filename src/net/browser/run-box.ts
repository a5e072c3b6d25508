import { type ChildProcess, spawn } from 'node:child_process'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { maxBoxBytes, memoryOf } from './box-memory.ts'
import type { BrowserBox } from './browser-box.ts'
import { maxAnswerBytes, type PageOrder, type PageSight, pageSightSchema } from './page-words.ts'

/** Why a box ended without a word that can be read. */
export type BoxEnd = 'time' | 'memory' | 'program'

const lookMs = 250

/** Runs one box, of which nothing is left when this returns. Throws `OwnTrouble` where no process can be started. */
export async function runBox(
  box: BrowserBox,
  { folder, order }: { folder: string; order: PageOrder },
  signal: AbortSignal,
): Promise<PageSight | BoxEnd> {
  const child = start(box, folder)
  let why: BoxEnd = 'program'
  const end = (reason: BoxEnd): void => {
    why = reason
    child.kill('SIGKILL')
  }
  const onAbort = (): void => end('time')
  signal.addEventListener('abort', onAbort, { once: true })
  const endLook = watchMemory(child, () => end('memory'))
  try {
    const answer = await talk(child, JSON.stringify(order), () => end('program'))
    return (answer === null ? null : sightOf(answer)) ?? why
  } finally {
    endLook()
    signal.removeEventListener('abort', onAbort)
  }
}

function start({ program, argumentsFor, uid }: BrowserBox, folder: string): ChildProcess {
  return spawn(program, argumentsFor(folder), {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
}

/** Resolves once the box has ended: with what it said, or null where it said too much or was ended. */
function talk(child: ChildProcess, order: string, onTooMuch: () => void): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    child.stdout?.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > maxAnswerBytes) onTooMuch()
      else pieces.push(piece)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(order)
    child.once('error', (error) => reject(new OwnTrouble('EAGAIN', error, 'This machine can start no browser now.')))
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(pieces).toString('utf8') : null))
  })
}

/** Null for what no box of ours says. */
function sightOf(answer: string): PageSight | null {
  try {
    return pageSightSchema.parse(JSON.parse(answer))
  } catch {
    return null
  }
}

function watchMemory({ pid }: ChildProcess, onTooMuch: () => void): () => void {
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking || pid === undefined) return
    isLooking = true
    if ((await memoryOf(pid)) > maxBoxBytes) onTooMuch()
    isLooking = false
  }
  const timer = setInterval(() => void look(), lookMs)
  return () => clearInterval(timer)
}
