import { z } from 'zod'
import { labelOf } from '#core/projects/order.ts'
import type { ApiRequest } from '#core/projects/requests.ts'
import { trialBodyOf } from '#core/projects/trial-body.ts'
import { StartError } from '#store/database/start-error.ts'
import type { ApplyEvent } from './apply-events.ts'
import type { Step } from './apply-steps.ts'
import type { PacedService } from './paced-service.ts'

type Tried = { label: string; problem: string | null }

const trialSchema = z.object({ data: z.object({ status: z.string(), error: z.string().nullable() }) })
const atOnce = 4
/** The longest check of a kind, and the way there and back. */
const answerMs = 150_000
/** What else decides what a check finds, beside the options of its kind. */
const checked: ReadonlySet<string> = new Set([
  'kind',
  'url',
  'method',
  'timeout_ms',
  'expected_status_min',
  'expected_status_max',
  'expected_statuses',
  'keyword',
  'request_headers',
  'request_body',
  'check_options',
  'allow_private_target',
])

/** Checks once what new monitors would check, and what changed ones would. Returns the labels of those that fail. */
export async function trySteps(
  steps: readonly Step[],
  { service, report }: { service: PacedService; report: (event: ApplyEvent) => void },
): Promise<string[]> {
  const left = steps.flatMap((step) => trialOf(step) ?? [])
  const failing: string[] = []
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { label, problem } = await tryOne(next, service)
      report({ type: 'tried', label, problem })
      if (problem !== null) failing.push(label)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return failing
}

type Trial = { label: string; request: ApiRequest }

/** Null for what no location checks. */
function trialOf(step: Step): Trial | null {
  if (step.type !== 'create' && step.type !== 'change') return null
  const { entry } = step
  const body = trialBodyOf(entry)
  if (body === null) return null
  const label = labelOf(entry)
  if (step.type === 'create') return { label, request: { method: 'POST', path: 'monitors/try', body } }
  if (!step.fields.some(({ field }) => checked.has(field.split('.', 1)[0] ?? field))) return null
  return { label, request: { method: 'POST', path: `monitors/${step.present.id}/try`, body } }
}

async function tryOne({ label, request }: Trial, service: PacedService): Promise<Tried> {
  const outcome = await service.ask(request, {}, answerMs)
  if (outcome.type === 'lost' || (outcome.type === 'refused' && outcome.status !== 422))
    throw new StartError(`Nothing was changed: ${label} cannot be tried. ${outcome.problem} --no-try tries nothing.`)
  if (outcome.type === 'refused') return { label, problem: outcome.problem }
  const { status, error } = trialSchema.parse(outcome.body).data
  return { label, problem: status === 'down' ? `is down: ${error ?? 'it did not say why'}` : null }
}
