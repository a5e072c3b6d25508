import { spawn } from 'node:child_process'
import type { EchoHearer, Echoes } from './icmp-echoes.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

/** Later answers do not count. */
const waitMs = 2000
/**
 * Pings that are wanted within this time go out together, so that one process serves many. Processes started at this
 * pace, each waiting to the end for silent hosts, are 15 at once.
 */
const gatherMs = 150
const maxProcesses = 16
const maxPerProcess = 200
/**
 * An echo that could not be sent within this time counts as the prober's own trouble, so that no target suffers from
 * it: checks last 500 ms and more.
 */
const maxQueuedMs = 400
const killMs = waitMs + 5000
const maxLineLength = 1000

type Order = { address: string; hearer: EchoHearer; isCancelled: boolean; queuedMs: number }

/**
 * The last resort where this process gets no socket for ICMP: fping has the permission from its package, by a file
 * capability.
 */
export function fpingEchoes(program: string): Echoes {
  const queue: Order[] = []
  let processes = 0
  let timer: NodeJS.Timeout | undefined
  function startNext(): void {
    timer = undefined
    const overdueMs = performance.now() - maxQueuedMs
    while (queue[0] !== undefined && queue[0].queuedMs < overdueMs) refuse(queue.splice(0, 1), 'too many pings at once')
    if (queue.length > 0 && processes < maxProcesses) {
      processes += 1
      void ping(program, queue.splice(0, maxPerProcess)).finally(() => {
        processes -= 1
      })
    }
    if (queue.length > 0) timer = setTimeout(startNext, gatherMs)
  }
  return {
    send: (address, hearer) => {
      const order = { address, hearer, isCancelled: false, queuedMs: performance.now() }
      queue.push(order)
      timer ??= setTimeout(startNext, gatherMs)
      return () => {
        order.isCancelled = true
      }
    },
    close: () => clearTimeout(timer),
  }
}

/** Whether the program exists and may ping: exit codes of 3 and above say that it could not. */
export async function canFping(program: string, loopback: string): Promise<boolean> {
  try {
    await runFping(program, [loopback], () => {})
    return true
  } catch {
    return false
  }
}

/** The time in a line such as "192.0.2.1 : [0], 64 bytes, 0.051 ms (0.051 avg, 0% loss)"; null for other lines. */
export function readFpingLine(line: string): { address: string; rttMs: number } | null {
  const found = /^(\S{1,100}) +: \[0\], \d{1,6} bytes, (\d{1,9}(?:\.\d{1,9})?) ms /.exec(line)
  if (found === null) return null
  const [, address = '', rttMs] = found
  return { address, rttMs: Number(rttMs) }
}

/** Never rejects: the pending requests are told of what goes wrong. */
async function ping(program: string, orders: Order[]): Promise<void> {
  const wanted = new Map<string, Order[]>()
  for (const order of orders)
    if (!order.isCancelled) wanted.set(order.address, [...(wanted.get(order.address) ?? []), order])
  try {
    await runFping(program, [...wanted.keys()], (line) => {
      const reply = readFpingLine(line)
      if (reply === null) return
      for (const { hearer, isCancelled } of wanted.get(reply.address) ?? [])
        if (!isCancelled) hearer.onReply(reply.rttMs)
      wanted.delete(reply.address)
    })
  } catch (error) {
    refuse([...wanted.values()].flat(), error instanceof Error ? error.message : String(error))
  }
}

function refuse(orders: readonly Order[], reason: string): void {
  const trouble = new OwnTrouble('EFPING', new Error(reason), `fping cannot be used now: ${reason}.`)
  for (const { hearer, isCancelled } of orders) if (!isCancelled) hearer.onError(trouble)
}

/** One echo for each address, a millisecond apart, without repetition. */
const fpingArguments = ['-C', '1', '-r', '0', '-i', '1', '-t', String(waitMs)]

/** Exit codes 1 and 2 mean that some addresses did not answer or could not be sent to; any other rejects. */
function runFping(program: string, addresses: readonly string[], onLine: (line: string) => void): Promise<void> {
  if (addresses.length === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...fpingArguments, ...addresses], { stdio: ['ignore', 'pipe', 'ignore'] })
    const killTimer = setTimeout(() => child.kill('SIGKILL'), killMs)
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      rest = (lines.pop() ?? '').slice(0, maxLineLength)
      for (const line of lines) onLine(line)
    })
    child.once('error', (error) => {
      clearTimeout(killTimer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(killTimer)
      if (code !== null && code <= 2) resolve()
      else reject(new Error(`${program} ended with ${code ?? signal}`))
    })
  })
}
