// Who is told of an outage after whom, while nobody has acknowledged it.
import { z } from 'zod'
import { inWords } from '#core/language/in-words.ts'
import { text } from '#core/language/text.ts'
import { tagsSchema } from '#core/tags.ts'
import type { ContactRules, MonitorRules } from './alert-rules.ts'
import { heldByQuietHours } from './quiet-hours.ts'

export const maxPolicies = 50
const maxSteps = 10
const maxContacts = 20
const maxStepSchedules = 10
const maxRepeats = 9
const maxStepMinutes = 1440

const stepSchema = z.strictObject({
  after_minutes: z
    .int()
    .min(0)
    .max(maxStepMinutes)
    .describe('After the previous step; for the first, after the outage is alerted.'),
  contact_ids: z.array(z.uuid().toLowerCase()).max(maxContacts).describe('Contacts of the workspace. Default [].'),
  schedule_ids: z
    .array(z.uuid().toLowerCase())
    .max(maxStepSchedules)
    .describe('On-call schedules: the contact on call then is alerted. Default [].'),
})
export type EscalationStep = z.infer<typeof stepSchema>

const { after_minutes: afterMinutes, contact_ids: contactIds, schedule_ids: scheduleIds } = stepSchema.shape
const stepInputSchema = z
  .strictObject({
    after_minutes: afterMinutes,
    contact_ids: contactIds.default([]),
    schedule_ids: scheduleIds.default([]),
  })
  .refine((step) => step.contact_ids.length + step.schedule_ids.length > 0, {
    path: ['contact_ids'],
    message: 'Must name a contact, or an on-call schedule.',
  })

const policyShape = {
  name: text({ min: 1, max: 160 }),
  repeats: z.int().min(0).max(maxRepeats).describe('How often all steps repeat after the last one. Default 0.'),
  is_default: z
    .boolean()
    .describe('Whether monitors without a policy use it; at most one per workspace. Default false.'),
  tags: tagsSchema.describe(
    'Monitors with one of these tags and no policy use it: before the default one, and the oldest of several. Default [].',
  ),
}

const stepsInput = z.array(stepInputSchema).min(1).max(maxSteps)

export const policySchema = z.strictObject({ id: z.uuid(), ...policyShape, steps: z.array(stepSchema) })
export type PolicyRecord = z.infer<typeof policySchema>

export const policyInputSchema = z.strictObject({
  ...policyShape,
  steps: stepsInput,
  repeats: policyShape.repeats.default(0),
  is_default: policyShape.is_default.default(false),
  tags: policyShape.tags.default([]),
})
export type PolicyInput = z.infer<typeof policyInputSchema>

/** The body of PATCH: members that are left out stay, `steps` are replaced whole. */
export const policyChangeSchema = z
  .strictObject({ ...policyShape, steps: stepsInput })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
export type PolicyChange = z.infer<typeof policyChangeSchema>

/** A contact of a step, as it is when the step is taken. */
export type Candidate = {
  id: string
  name: string
  kind: string
  isEnabled: boolean
  isConfirmed: boolean
  isFailing: boolean
  rules: ContactRules | null
}

/** Why a contact counts as not told. One that fails is tried all the same. */
export type UntoldReason = 'off' | 'unconfirmed' | 'not_chosen' | 'quiet' | 'failing'

/** Null for a contact that is told, of an outage unless of another event. An objective has no monitor. */
export function untoldReason(
  { isEnabled, isConfirmed, isFailing, rules }: Candidate,
  { monitor, at, event = 'down' }: { monitor: MonitorRules | null; at: Date; event?: 'down' | 'slo' },
): UntoldReason | null {
  if (!isEnabled) return 'off'
  if (!isConfirmed) return 'unconfirmed'
  if (rules?.events?.includes(event) === false || monitor?.events?.includes('down') === false) return 'not_chosen'
  if (heldByQuietHours({ contact: rules, monitor }, at) !== null) return 'quiet'
  return isFailing ? 'failing' : null
}

/** A place in a policy: `step` and `turn` count from 0. */
export type EscalationPlace = { step: number; turn: number }

/**
 * What follows a step, and after how many minutes: at once where nobody was told. Null after the last one. A policy
 * whose steps wait no time, and tell nobody, is over within its repeats.
 */
export function nextPlace(
  { steps, repeats }: Pick<PolicyInput, 'steps' | 'repeats'>,
  { step, turn }: EscalationPlace,
  isTold: boolean,
): (EscalationPlace & { minutes: number }) | null {
  const isLast = step + 1 >= steps.length
  if (isLast && turn >= repeats) return null
  const place = isLast ? { step: 0, turn: turn + 1 } : { step: step + 1, turn }
  return { ...place, minutes: isTold ? (steps[place.step]?.after_minutes ?? 0) : 0 }
}

const reasons: Readonly<Record<UntoldReason, string>> = {
  off: 'is switched off',
  unconfirmed: 'is not confirmed',
  not_chosen: 'does not get alerts about outages',
  quiet: 'has quiet hours',
  failing: 'fails',
}

export type StepOutcome = { candidate: Pick<Candidate, 'name' | 'kind'>; reason: UntoldReason | null }

/** `gaps` names the schedules that have nobody on call. */
export type StepResult = { outcomes: readonly StepOutcome[]; gaps: readonly string[] }

/** The event of a step. Nothing came of one whose contacts and schedules are gone. */
export function stepMessage(policyName: string, { step }: EscalationPlace, { outcomes, gaps }: StepResult): string {
  const told = outcomes.filter(({ reason }) => reason === null).map(({ candidate }) => nameOf(candidate))
  const untold = [
    ...outcomes.flatMap(({ candidate, reason }) =>
      reason === null ? [] : [`${nameOf(candidate)} ${reasons[reason]}`],
    ),
    ...gaps.map((name) => `no one is on call in “${name}”`),
  ]
  const lead = `Step ${step + 1} of “${policyName}”`
  if (told.length > 0)
    return `${lead}: alerted ${inWords(told)}.${untold.length === 0 ? '' : ` Not alerted: ${untold.join('; ')}.`}`
  const why = untold.length === 0 ? 'its contacts were deleted' : untold.join('; ')
  return `${lead}: no one was alerted (${why}).`
}

/**
 * `name` is the policy that the monitor has now, and `own` the one with which the outage goes on, which may be the same
 * (`isOwn`). Null: none.
 */
type PolicyChangeNews = { name: string | null; own: string | null; isOwn: boolean; isWithheld: boolean }

/** The event of an outage whose monitor gets another policy. `isWithheld`: a maintenance keeps it back so far. */
export function policyChangeMessage({ name, own, isOwn, isWithheld }: PolicyChangeNews): string {
  if (own !== null && isOwn)
    return `The monitor has the escalation policy “${own}” again. This outage continues with it.`
  const lead =
    name === null ? 'The monitor has no escalation policy now.' : `The monitor has the escalation policy “${name}” now.`
  if (own !== null) return `${lead} This outage continues with “${own}”.`
  if (isWithheld)
    return `${lead} ${name === null ? 'The contacts of the monitor are alerted' : 'It alerts'} if this outage outlasts the maintenance.`
  return `${lead} ${name === null ? 'This' : 'It'} takes effect with the next outage.`
}

function nameOf({ name, kind }: Pick<Candidate, 'name' | 'kind'>): string {
  return `${name} (${kind})`
}
