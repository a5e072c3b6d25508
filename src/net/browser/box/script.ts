import { compileFunction } from 'node:vm'
import type { BrowserContext, Page } from 'playwright-core'
import type { PageScript } from '#net/browser/page-words.ts'

/** How the script is called in the traces of its errors. */
const filename = 'script'
const maxTraceLines = 50

type Stage = { page: Page; context: BrowserContext; timeoutMs: number; leftMs: number }

/**
 * Runs a program beside the browser, with what Playwright's own tests have. Returns why it failed, null where it did
 * not. What it left running ends with the box.
 */
export async function runScript({ text, secrets }: PageScript, stage: Stage): Promise<string | null> {
  const { page, context, timeoutMs, leftMs } = stage
  const { expect } = await import('playwright/test')
  page.setDefaultTimeout(timeoutMs)
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('it did not end in time'), leftMs)
  const ran = (async () => {
    try {
      const given = { page, context, expect: expect.configure({ timeout: timeoutMs }), secrets, console: silent }
      await programOf(text, Object.keys(given))(...Object.values(given))
      return null
    } catch (error) {
      return problemOf(error)
    }
  })()
  const problem = await Promise.race([ran, late.promise])
  clearTimeout(timer)
  return problem
}

/** A first line of our own keeps the lines of the script as its author counts them. */
function programOf(text: string, names: string[]): (...given: unknown[]) => Promise<unknown> {
  const run: unknown = compileFunction(`return (async () => {\n${text}\n})()`, names, { filename, lineOffset: -1 })
  return async (...given) => (typeof run === 'function' ? run(...given) : undefined)
}

/** The box says what it saw by its standard output, where the script would write between. */
const silent: Pick<Console, 'debug' | 'error' | 'info' | 'log' | 'warn'> = {
  debug: () => {},
  error: () => {},
  info: () => {},
  log: () => {},
  warn: () => {},
}

/** With the line of the script, and of what was expected the two sides that Playwright tells. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  const message = error.message.replaceAll(escapes, '')
  const [first = ''] = message.split('\n', 1)
  const sides = /^Expected.*$|^Received.*$/gm
  const told = [first.replace(/^[\w.]+: (?:net::)?/, ''), ...(message.match(sides) ?? [])].join('; ')
  const line = lineOf(error)
  return line === null ? told : `line ${line}: ${told}`
}

/** Colours of a terminal, in which Playwright writes. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[\d;]*m/g

function lineOf({ stack = '' }: Error): number | null {
  const trace = stack.split('\n', maxTraceLines).join('\n')
  const line = /\bscript:(\d+)/.exec(trace)?.[1]
  return line === undefined ? null : Number(line)
}
