// The example agent, and what it says.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { until } from '../../support/until.ts'
import type { Console } from './console.ts'

const example = fileURLToPath(new URL('../../../examples/agent.ts', import.meta.url))
const telling = new URL('tell-secrets.ts', import.meta.url).href
const waitMs = 60_000

type Agent = {
  child: ChildProcess
  /** Waits for a pattern in what it printed. */
  said: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Waits for the link and the code that it shows its person, and makes up a code that is not it. */
  asked: () => Promise<{ link: string; code: string; wrong: string }>
}

/** Ended when the test is done. What they send and are answered is noted among the run's secrets. */
export function exampleAgents({ origin, collected }: Pick<Console, 'origin' | 'collected'>) {
  const running: ChildProcess[] = []
  after(() => running.forEach((child) => child.kill('SIGKILL')))
  const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Agent => {
    const child = spawn(process.execPath, ['--import', telling, example, origin, ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    noteLines(child, collected.note)
    const hasEnded = (): boolean => child.exitCode !== null
    const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
      await until(`${String(pattern)} of the agent`, async () => pattern.test(output) || hasEnded(), waitMs)
      return pattern.exec(output) ?? assert.fail(output)
    }
    const asked = async (): ReturnType<Agent['asked']> => {
      const [, link = '', code = ''] = await said(/open (\S+)\ntype (\d{6})/)
      return { link, code, wrong: code === '111111' ? '222222' : '111111' }
    }
    return { child, said, asked }
  }
  return { start }
}

function noteLines({ stdio }: ChildProcess, note: (text: string) => void): void {
  const told = stdio[3]
  if (told === null || told === undefined || !('read' in told)) throw new Error('The agent has nothing to tell by.')
  createInterface({ input: told }).on('line', (line) => note(z.string().parse(JSON.parse(line))))
}
