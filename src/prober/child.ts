// One process of probers, from its start to its end, as the process that started it sees it.
import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex, PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Frame, type FramePipe, openFrames } from './frames.ts'
import { aliveMs, fromProbers, pipeNumber } from './process-orders.ts'

export type ChildOptions = {
  program: URL
  /** All of it. */
  environment: Readonly<Record<string, string>>
  /** Options of Node. */
  nodeOptions: readonly string[]
  /** What it throws ends the process. */
  onFrame: (frame: Frame) => void
  /** Told once, with the reason. */
  onEnded: (problem: string) => void
}

export type Child = Pick<FramePipe, 'send'> & {
  readonly pid: number | undefined
  /** Waits for its end by itself, and no longer than that. */
  endWithin: (ms: number) => Promise<void>
}

/** It says each second that it turns, and was silent at so many looks in a row: more where it has said nothing yet. */
const maxSilentLooks = 10
const maxSilentLooksAtStart = 60

export function startChild({ program, environment, nodeOptions, onFrame, onEnded }: ChildOptions): Child {
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program)], {
    env: { ...environment },
    // What Node itself says before a process dies is told where this process tells it.
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  let problem: string | null = null
  const end = (why: string): void => {
    problem ??= why
    child.kill('SIGKILL')
  }
  const silence = watchSilence(() => end(`it gave no sign of life for ${(maxSilentLooks * aliveMs) / 1_000} s`))
  const pipe = openFrames(pipeOf(child), fromProbers, {
    onFrame: (frame) => {
      silence.broken()
      onFrame(frame)
    },
    onBroken: (error) => end(`it sent what no prober sends (${error.message})`),
    onClose: () => void child.kill('SIGKILL'),
  })
  const ended = new Promise<void>((resolve) => {
    const onEnd = (how: string): void => {
      silence.stop()
      pipe.close()
      resolve()
      onEnded(problem ?? how)
    }
    child.once('error', (error) => onEnd(`it could not be started (${error.message})`))
    child.once('close', (code, signal) => onEnd(`it ended by itself (${signal ?? code})`))
  })
  return {
    pid: child.pid,
    send: pipe.send,
    endWithin: async (ms) => {
      const timer = setTimeout(() => end('it did not stop'), ms)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Where the system had no more files, there is none. */
function pipeOf({ stdio }: Partial<Pick<ChildProcess, 'stdio'>>): Duplex {
  const pipe = stdio?.[pipeNumber]
  return pipe instanceof Duplex ? pipe : new PassThrough().destroy()
}

/** Looks of this process alone count, so that nothing does while it stands still itself. */
function watchSilence(onSilent: () => void): { broken: () => void; stop: () => void } {
  let looks = 0
  let allowed = maxSilentLooksAtStart
  const timer = setInterval(() => {
    looks += 1
    if (looks > allowed) onSilent()
  }, aliveMs)
  return {
    broken: () => {
      looks = 0
      allowed = maxSilentLooks
    },
    stop: () => clearInterval(timer),
  }
}
