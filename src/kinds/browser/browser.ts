import { redact } from '#core/language/redact.ts'
import type { BrowserOutcome } from '#net/browser/browse.ts'
import type { PageStep } from '#net/browser/page-words.ts'
import type { Net } from '#net/net.ts'
import { type AnyKind, type Check, defineKind, type OptionHost } from '#kinds/kind.ts'
import { fillIn, totpName } from '#kinds/transaction/capture-options.ts'
import { isPath } from '#kinds/transaction/transaction-options.ts'
import { secretBytes, totpCode } from '#kinds/transaction/totp.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'
import { judgeVisit } from './browser-judge.ts'
import { type BrowserOptions, browserOptions } from './browser-options.ts'

const viewports = {
  desktop: { width: 1280, height: 720, isPhone: false },
  phone: { width: 390, height: 844, isPhone: true },
}

export type BrowserObservation = BrowserOutcome

export const browser: AnyKind = defineKind<BrowserOptions, BrowserObservation>({
  name: 'browser',
  options: browserOptions,
  secretOptions: [{ list: 'secrets', member: 'value', sameBy: ['name'] }, 'totp_secret'],
  optionHosts,
  targetProblem: webTargetProblem,
  observe: visit,
  judge: judgeVisit,
})

/** Paths stay on the host of the monitor's own target, which is looked at anyway. */
function optionHosts({ steps = [] }: BrowserOptions): OptionHost[] {
  return steps.flatMap(({ action, value = '' }, index) =>
    action !== 'open' || isPath(value) ? [] : [{ path: ['steps', index, 'value'], host: new URL(value).hostname }],
  )
}

async function visit(check: Check<BrowserOptions>, net: Net, signal: AbortSignal): Promise<BrowserObservation> {
  const { url, options, timeoutMs } = check
  const { device = 'desktop', steps = [], script, accept_any_certificate: acceptsAnyCertificate = false } = options
  const values = valuesOf(options)
  for (const value of values.values()) net.conceal(value)
  const outcome = await net.browse(
    {
      url,
      steps: steps.map((step): PageStep => filled(step, values)),
      ...(script === undefined ? {} : { script: { text: script, secrets: Object.fromEntries(values) } }),
      viewport: viewports[device],
      acceptsAnyCertificate,
      timeoutMs,
    },
    signal,
  )
  return withoutValues(outcome, [...values.values()])
}

type Values = ReadonlyMap<string, string>

function valuesOf({ secrets = [], totp_secret: totp }: BrowserOptions): Values {
  const known = secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  const bytes = totp === undefined ? null : secretBytes(totp)
  return new Map([...known, ...(bytes === null ? [] : [[totpName, totpCode(bytes, Date.now())] as const])])
}

function filled({ action, element, value }: NonNullable<BrowserOptions['steps']>[number], values: Values): PageStep {
  const write = (secret: string): string => (action === 'open' ? encodeURIComponent(secret) : secret)
  return { action, selector: element, value: value === undefined ? value : fillIn(value, values, write) }
}

/** Shorter ones are parts of many words. */
const shortestHidden = 4

/** A page may say again what was filled in. */
function withoutValues(outcome: BrowserOutcome, values: readonly string[]): BrowserOutcome {
  const hidden = values.filter(({ length }) => length >= shortestHidden)
  if (outcome.type !== 'seen' || hidden.length === 0) return outcome
  const { sight } = outcome
  const hide = (text: string): string => redact(text, hidden)
  const list = ({ count, first }: typeof sight.consoleErrors): typeof sight.consoleErrors => ({
    count,
    first: first.map(hide),
  })
  return {
    ...outcome,
    sight: {
      ...sight,
      url: hide(sight.url),
      stepFailure: sight.stepFailure === null ? null : hide(sight.stepFailure),
      scriptFailure: sight.scriptFailure === null ? null : hide(sight.scriptFailure),
      consoleErrors: list(sight.consoleErrors),
      failedRequests: list(sight.failedRequests),
    },
  }
}
