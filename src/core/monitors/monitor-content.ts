import { mask, maskProblem } from '#core/language/mask.ts'
import { joinOptions, splitOptions } from './monitor-options.ts'
import type { MonitorInput, MonitorSettings } from './monitor.ts'

/**
 * What a monitor sends: its request body and the bodies of its steps. They may hold passwords, so they are sealed at
 * rest; unlike its secrets they are returned, to all who may change the monitor and to programs
 * (docs/decisions/api-surface.md, "Secrets in options").
 */
export type Content = { request_body: string | null; options: Record<string, unknown> }

type WithContent = Pick<MonitorSettings, 'request_body' | 'check_options'>

const bodiesOfSteps = { list: 'steps', member: 'body', sameBy: [] }

/** The settings, or the record, without their content; null where there is none. */
export function splitContent<Whole extends WithContent>(whole: Whole): { rest: Whole; content: Content | null } {
  const { request_body: body, check_options: options } = whole
  const { publicOptions, secretOptions } = splitOptions(options, [bodiesOfSteps])
  if (body === null && Object.keys(secretOptions).length === 0) return { rest: whole, content: null }
  const rest = { ...whole, request_body: null, check_options: publicOptions }
  return { rest, content: { request_body: body, options: secretOptions } }
}

export function joinContent<Rest extends WithContent>(rest: Rest, content: Content): Rest {
  const body = rest.request_body ?? content.request_body
  return { ...rest, request_body: body, check_options: joinOptions(rest.check_options, content.options) }
}

/** For people who may look at the monitor only. */
export function maskContent<Whole extends WithContent>(whole: Whole): Whole {
  const { request_body: body, check_options: options } = whole
  const { steps } = options
  const masked = Array.isArray(steps) ? { ...options, steps: steps.map(maskBody) } : options
  return { ...whole, request_body: body === null ? null : mask, check_options: masked }
}

/** A mask that is sent back would be sent to the target from then on. */
export function* maskProblems({
  request_body: body,
  check_options: options,
}: MonitorInput): Generator<[field: string, problem: string]> {
  if (body === mask) yield ['request_body', maskProblem]
  const steps = Array.isArray(options?.['steps']) ? options['steps'] : []
  for (const [at, step] of steps.entries())
    if (bodyOf(step) === mask) yield [`check_options.steps.${at}.body`, maskProblem]
}

function maskBody(step: unknown): unknown {
  return typeof step === 'object' && step !== null && typeof bodyOf(step) === 'string' ? { ...step, body: mask } : step
}

function bodyOf(step: unknown): unknown {
  return typeof step === 'object' && step !== null && 'body' in step ? step.body : undefined
}
