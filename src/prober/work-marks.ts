// What a thread works on, in memory that the process reads while the thread stands still
// (docs/decisions/rounds-and-time.md, "A check that takes the processor").
import type { Mark } from '#net/ground/trace.ts'

/** A check, or a trial, whose `monitorId` is an id made for it alone. */
export type Work = { type: 'check' | 'trial'; location: string; monitorId: string; shareKey?: string }

/**
 * `stretch` is another number each time the thread goes on with something else. `check` is the number of the check that
 * it goes on with, 0 for none.
 */
export type Seen = { stretch: number; check: number }

export type WorkMarks = {
  /** A mark for a check that begins. */
  of: (work: Work) => Mark
  /** Marks that the thread goes on with this check; null for code that belongs to none. */
  enter: (mark: Mark | null) => void
  /** What the check of this mark, which is over, took of the processor, in milliseconds. */
  tookMs: (mark: Mark) => number
  stop: () => void
}

const [stretchAt, checkAt, lengthAt] = [0, 1, 2]
const headBytes = 3 * Int32Array.BYTES_PER_ELEMENT
/** Far more than ids and the code of a location take. Work of a longer name is marked as none. */
const textBytes = 1_024
/** The most bytes that a character of a string takes in UTF-8 (RFC 3629 3; a pair of surrogates takes four). */
const maxUtf8Bytes = 3
/** So soon after it went on with a check the thread marks that it turned, also where nothing else is to be done. */
const turnMs = 50

export function createWorkMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(headBytes + textBytes)
}

/** The thread's side. A mark costs some nanoseconds: they are made whenever bytes of a target come. */
export function markWork(memory: SharedArrayBuffer): WorkMarks {
  const { words, texts } = viewsOf(memory)
  const account = createAccount()
  let checks = 0
  let timer: NodeJS.Timeout | null = null
  function turn(): void {
    timer = null
    account.goOn(null)
    Atomics.store(words, checkAt, 0)
    Atomics.add(words, stretchAt, 1)
  }
  function enter(mark: Mark | null): void {
    if (mark === null) return
    account.goOn(mark)
    timer ??= setTimeout(turn, turnMs)
    const { check, text } = mark
    if (Atomics.load(words, checkAt) !== check) {
      Atomics.store(words, lengthAt, texts.write(text, 'utf8'))
      Atomics.store(words, checkAt, check)
    }
    Atomics.add(words, stretchAt, 1)
  }
  return {
    of: (work) => {
      checks = checks === maxNumber ? 1 : checks + 1
      const text = textOf(work)
      return text.length * maxUtf8Bytes <= textBytes ? { check: checks, text, tookMs: 0 } : { ...unnamed }
    },
    enter,
    tookMs: (mark) => {
      account.endOf(mark)
      return mark.tookMs
    },
    stop: () => clearTimeout(timer ?? undefined),
  }
}

const maxNumber = 0x7f_ff_ff_ff
const unnamed: Mark = { check: 0, text: '', tookMs: 0 }
/** The time of the processor is read no more often, because reading it takes ten times as long as a mark. */
const readMs = 1

type Account = {
  /** From now on, this check has what the thread takes of the processor. */
  goOn: (mark: Mark | null) => void
  endOf: (mark: Mark) => void
}

/**
 * What was taken between two readings is written to the check that the thread was at before the second. Of checks that
 * take less than is between two readings some have too much and most nothing, and on average each has its own.
 */
function createAccount(): Account {
  let at: Mark | null = null
  let readAtMs = performance.now()
  let spentMs = spentByThread()
  function settle(): void {
    const nowMs = performance.now()
    if (nowMs - readAtMs < readMs) return
    const nowSpentMs = spentByThread()
    if (at !== null) at.tookMs += nowSpentMs - spentMs
    readAtMs = nowMs
    spentMs = nowSpentMs
  }
  return {
    goOn: (mark) => {
      if (mark === at) return
      settle()
      at = mark
    },
    endOf: (mark) => {
      if (mark !== at) return
      settle()
      at = null
    },
  }
}

function spentByThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The process's side. What it reads holds together only where the stretch is the same before and after. */
export type WorkReader = { seen: () => Seen; work: () => Work }

export function readWork(memory: SharedArrayBuffer): WorkReader {
  const { words, texts } = viewsOf(memory)
  return {
    seen: () => ({ stretch: Atomics.load(words, stretchAt), check: Atomics.load(words, checkAt) }),
    work: () => workOf(texts.toString('utf8', 0, Atomics.load(words, lengthAt))),
  }
}

/** A line each, which codes and ids are; JSON would take several times as long, for every check. */
function textOf({ type, location, monitorId, shareKey = '' }: Work): string {
  return `${type}\n${location}\n${monitorId}\n${shareKey}`
}

function workOf(text: string): Work {
  const [type, location = '', monitorId = '', shareKey = ''] = text.split('\n')
  const work = { type: type === 'trial' ? 'trial' : 'check', location, monitorId } as const
  return shareKey === '' ? work : { ...work, shareKey }
}

function viewsOf(memory: SharedArrayBuffer): { words: Int32Array; texts: Buffer } {
  return { words: new Int32Array(memory, 0, headBytes / 4), texts: Buffer.from(memory, headBytes, textBytes) }
}
