import { type Fields, invalidFields } from '#core/language/error.ts'
import { namesOf, partsOf } from '#core/language/tables.ts'
import { callScheduleOf, isOftenerThan, isSameSchedule } from './call-schedule.ts'
import { decideStatuses, statusesProblem } from './expected-statuses.ts'
import { unreachableVersions } from './http-version.ts'
import { type KindName, kindTraits, scannedKindsText, usualKind } from './kind-traits.ts'
import { byRule } from './field-entry.ts'
import { monitorFields } from './monitor-fields.ts'
import type { MonitorInput, MonitorSettings, RuledField, SettingField } from './monitor.ts'
import { type CanaryToken, tokenFor } from '#core/money/canary.ts'
import type { Plan } from '#core/money/plan.ts'
import { maskProblems } from './monitor-content.ts'
import { type OptionRules, decideOptions } from './monitor-options.ts'
import { assertPlanAllows } from './plan-allows.ts'
import { decidePrivateTarget } from './private-target.ts'

/** What a kind knows about its own input. */
export type KindRules = OptionRules & {
  /** Null when the text is a target of this kind, else what is wrong with it, private addresses included. */
  targetProblem: (url: string) => string | null
}

/** What surrounds an input: everything its rules need that is not in it. */
export type InputSurroundings = {
  rulesOf: (kind: KindName, target: { isPrivateAllowed: boolean }) => KindRules
  /** Whether the caller may let a monitor reach private addresses. Default: false. */
  mayAllowPrivateTarget?: boolean
  /** Known codes in their order; the first is the default. */
  locationCodes: readonly string[]
  /** The contacts that the input names and the workspace has. */
  contactIds: readonly string[]
  /** Whether the workspace has the escalation policy that the input names, if it names one. */
  hasPolicy: boolean
  /** The tokens with which a monitor may buy. Default: none. */
  canaryTokens?: readonly CanaryToken[]
  /** Whether a database may be asked by a statement of one's own. Default: false. */
  allowsStatements?: boolean
  /** Whether a visit with a browser may run a script. Default: false. */
  allowsScripts?: boolean
  plan: Plan
  /** Whether the monitor takes a plan slot (the plan's floor of the interval) or is paid (10 seconds). */
  billing: 'plan' | 'paid'
  /** Null where `billing` is `plan`. */
  billingPeriod: 'monthly' | 'lifetime' | null
  /**
   * Whether the caller has no account. Who cannot be reached by mail when something goes wrong gets less: no groups,
   * and a minute as the shortest interval.
   */
  isStranger?: boolean
}

const paidMinIntervalSeconds = 10
const strangersMinIntervalSeconds = 60
const defaultIntervalSeconds = 300
const defaultGraceSeconds = 300

/**
 * Decides every field of a monitor. At create `current` is null and what is left out gets its default; at a change
 * what is left out stays as it is and is not looked at again, save where another field's change makes it wrong.
 * Throws `validation_failed` with every field to blame, or `plan_required`.
 */
export function decideSettings(
  input: MonitorInput,
  current: MonitorSettings | null,
  surroundings: InputSurroundings,
): MonitorSettings {
  const { settings, fields } = judge(input, { current, surroundings, refused: new Set() })
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
  assertPlanAllows(settings, input, surroundings)
  return settings
}

/**
 * The fields that `decideSettings` would blame. Members in `refused` were found wrong before and are not in the input,
 * so that nothing is held against them, nor against others because of them.
 */
export function inputProblems(
  input: Omit<MonitorInput, 'name'> & { name?: string | undefined },
  current: MonitorSettings | null,
  { refused, ...surroundings }: InputSurroundings & { refused: ReadonlySet<string> },
): Fields {
  // What everything else means depends on the kind.
  if (refused.has('kind')) return {}
  return judge({ ...input, name: input.name ?? current?.name ?? '' }, { current, surroundings, refused }).fields
}

function judge(
  input: MonitorInput,
  { current, surroundings, refused }: RuleContext & { refused: ReadonlySet<string> },
): { settings: MonitorSettings; fields: Fields } {
  const kind = input.kind ?? current?.kind ?? usualKind
  const { mayAllowPrivateTarget: mayAllow = false } = surroundings
  const { isAllowed: isPrivateAllowed, problem: privateProblem } = decidePrivateTarget(input, { current, mayAllow })
  const rules = surroundings.rulesOf(kind, { isPrivateAllowed })
  const options = decideOptions(input.check_options, heldOptions(kind, current, rules), rules)
  const settings: MonitorSettings = {
    ...decidePlain(input, current),
    ...decideByRule(kind, input, { current, surroundings }),
    ...decideStatuses(input, current),
    check_options: options.publicOptions,
    secret_options: options.secretOptions,
    allow_private_target: isPrivateAllowed,
  }
  const fields: Fields = refused.has('check_options') ? {} : { ...options.fields }
  if (privateProblem !== null) fields['allow_private_target'] = [privateProblem]
  for (const [field, problem, dependsOn = [field]] of problemsOf(settings, input, { current, surroundings, rules }))
    if (!dependsOn.some((member) => refused.has(member))) (fields[field] ??= []).push(problem)
  return { settings, fields }
}

/** A change of the kind drops the secrets, and the options that do not fit the new kind: they meant the earlier one. */
function heldOptions(kind: KindName, current: MonitorSettings | null, rules: KindRules): MonitorSettings | null {
  if (current === null || current.kind === kind) return current
  return { ...current, check_options: fittingOptions(current.check_options, rules), secret_options: {} }
}

function fittingOptions(
  options: MonitorSettings['check_options'],
  { parseOptions }: KindRules,
): MonitorSettings['check_options'] {
  const parsed = parseOptions(options)
  if (parsed.ok) return options
  const unfit = new Set(Object.keys(parsed.fields).map((field) => field.split('.')[1]))
  return Object.fromEntries(Object.entries(options).filter(([name]) => !unfit.has(name)))
}

const plainFields = namesOf(partsOf(monitorFields, 'initial')).filter(isPlain)

function isPlain(field: SettingField): field is PlainField {
  return monitorFields[field].initial !== byRule
}

type PlainField = Exclude<SettingField, RuledField>
type PlainSettings = Pick<MonitorSettings, PlainField>

/** What is given, else what is held, else what a new monitor has. */
function decidePlain(input: MonitorInput, current: MonitorSettings | null): PlainSettings
function decidePlain(input: MonitorInput, current: MonitorSettings | null): Partial<PlainSettings> {
  return Object.fromEntries(
    plainFields.map((field) => {
      const held = current === null ? monitorFields[field].initial : current[field]
      return [field, input[field] === undefined ? held : input[field]]
    }),
  )
}

type DecidedBefore = 'check_options' | 'secret_options' | 'allow_private_target'
type RuleContext = { current: MonitorSettings | null; surroundings: InputSurroundings }

/** A setting whose entry in `monitorFields` says `byRule` has its rule here. */
function decideByRule(
  kind: KindName,
  input: MonitorInput,
  { current, surroundings }: RuleContext,
): Pick<MonitorSettings, Exclude<RuledField, DecidedBefore>> {
  const { url, keyword, request_headers: headers, alert_channel_ids: contactIds } = input
  const wantedIds = contactIds === undefined ? current?.alert_channel_ids : contactIds
  return {
    name: input.name,
    kind,
    url: hasTarget(kind) ? (url ?? current?.url ?? null) : null,
    interval_seconds: input.interval_seconds ?? current?.interval_seconds ?? usualInterval(surroundings),
    locations: decideLocations(kind, input, { current, known: surroundings.locationCodes }),
    keyword: (keyword === undefined ? current?.keyword : keyword) || null,
    request_headers: headers === undefined ? (current?.request_headers ?? {}) : (headers ?? {}),
    heartbeat_grace_seconds: decideGrace(kind, input, current),
    vulnerability_alerts: decideVulnerabilityAlerts(kind, input, current),
    alert_channel_ids: wantedIds === undefined || wantedIds === null ? null : Array.from(new Set(wantedIds)),
  }
}

/** How often a new monitor is checked that says nothing of it, in seconds. */
export function usualInterval({ billing, plan }: Pick<InputSurroundings, 'billing' | 'plan'>): number {
  return billing === 'plan' ? Math.max(defaultIntervalSeconds, plan.minIntervalSeconds) : defaultIntervalSeconds
}

function decideGrace(kind: KindName, input: MonitorInput, current: MonitorSettings | null): number | null {
  const grace = input.heartbeat_grace_seconds ?? current?.heartbeat_grace_seconds
  return grace ?? (hasGrace(kind) ? defaultGraceSeconds : null)
}

/** A repository monitor exists to report vulnerabilities, so its alerts cannot be switched off; websites choose. */
function decideVulnerabilityAlerts(kind: KindName, input: MonitorInput, current: MonitorSettings | null): boolean {
  switch (kindTraits[kind].software) {
    case 'always':
      return true
    case 'none':
      return false
    case 'chosen':
      return input.vulnerability_alerts ?? (current !== null && hasChosenAlerts(current))
  }
}

function hasChosenAlerts({ kind, vulnerability_alerts: hasAlerts }: MonitorSettings): boolean {
  return kindTraits[kind].software === 'chosen' && hasAlerts
}

function decideLocations(
  kind: KindName,
  input: MonitorInput,
  { current, known }: { current: MonitorSettings | null; known: readonly string[] },
): string[] {
  const chosen = input.locations ?? current?.locations ?? known.slice(0, 1)
  const isNarrowed = input.locations === undefined && kindTraits[kind].isSingle
  return isNarrowed ? chosen.slice(0, 1) : chosen
}

type ProblemContext = { current: MonitorSettings | null; surroundings: InputSurroundings; rules: KindRules }

/** `dependsOn` names the members of the input that make the problem; it is left out where the field alone does. */
type Problem = [field: string, problem: string, dependsOn?: readonly string[]]

function* problemsOf(
  settings: MonitorSettings,
  input: MonitorInput,
  { current, surroundings, rules }: ProblemContext,
): Generator<Problem> {
  if (settings.name.trim() === '' && settings.name !== current?.name) yield ['name', 'Must not be blank.']
  yield* nullProblems(settings.kind, input)
  yield* maskProblems(input)
  if (input.check_options !== undefined) {
    yield* purchaseProblems(settings, surroundings)
    yield* programProblems(settings, current, surroundings)
  }
  if (input.url !== null && (settings.url !== current?.url || settings.kind !== current.kind)) {
    const problem = targetProblem(settings, rules)
    if (problem !== null) yield ['url', problem]
  }
  for (const option of unreachableVersions(settings)) yield [option, withoutTls, versionMembers]
  const { billingPeriod } = surroundings
  yield* accountProblems(settings, input, surroundings)
  yield* scheduleProblems(settings, current, surroundings)
  yield* locationProblems(settings, input, surroundings.locationCodes)
  const statuses = statusesProblem(input, current)
  if (statuses !== null) yield [statuses.field, statuses.problem, [statuses.field, 'expected_statuses']]
  if (settings.expected_status_min > settings.expected_status_max)
    yield contradiction(
      input,
      ['expected_status_min', 'expected_status_max'],
      'The lowest accepted status code must not be above the highest.',
    )
  if (settings.confirmation_threshold > settings.locations.length)
    yield contradiction(
      input,
      ['confirmation_threshold', 'locations'],
      'More locations must agree than the monitor has.',
    )
  const unknownIds = (input.alert_channel_ids ?? []).filter((id) => !surroundings.contactIds.includes(id))
  if (unknownIds.length > 0) yield ['alert_channel_ids', `No contact of this workspace: ${unknownIds.join(', ')}.`]
  if (typeof input.escalation_policy_id === 'string' && !surroundings.hasPolicy)
    yield ['escalation_policy_id', 'This workspace has no such escalation policy.']
  if (input.vulnerability_alerts === true && !settings.vulnerability_alerts)
    yield ['vulnerability_alerts', `Can only be true for the kinds ${scannedKindsText}.`]
  if (settings.kind === 'group' && (input.alert_slow_factor ?? null) !== null)
    yield ['alert_slow_factor', 'A group has no response time.']
  if (billingPeriod !== null && (input.billing_period ?? billingPeriod) !== billingPeriod)
    yield ['billing_period', 'Cannot be changed once the monitor is paid.']
}

const withoutTls = 'Can never be: without TLS nobody chooses HTTP/2, and redirects are not followed.'
const versionMembers = ['check_options', 'url', 'expected_status_min', 'expected_status_max', 'expected_statuses']

/**
 * A kind that has no value for a field answers null there. Null then means the same as leaving the field out, so that a
 * monitor can be sent back as it was read; for the other kinds null is no value.
 */
function* nullProblems(
  kind: KindName,
  { url, heartbeat_grace_seconds: grace }: MonitorInput,
): Generator<[field: string, problem: string]> {
  if (url === null && hasTarget(kind)) yield ['url', 'Must be text.']
  if (grace === null && hasGrace(kind)) yield ['heartbeat_grace_seconds', 'Must be a number.']
}

/** Only the operator's money is spent, so only the operator can say with what. */
function* purchaseProblems(
  { kind, check_options: options }: MonitorSettings,
  { canaryTokens = [] }: InputSurroundings,
): Generator<[field: string, problem: string]> {
  if (kind !== 'paid_endpoint' || options['buys'] !== true) return
  const { network, asset } = options
  if (typeof network !== 'string' || typeof asset !== 'string' || tokenFor(canaryTokens, { network, asset }) !== null)
    return
  const what = canaryTokens.length === 0 ? 'lets no monitor buy' : 'lets no monitor buy with this token'
  yield ['check_options.buys', `The operator of this installation ${what}.`]
}

/**
 * Statements and scripts are code that a stranger would have a location run. What a monitor has may stay and be sent
 * back (docs/decisions/targets-and-kinds.md, "Databases").
 */
function* programProblems(
  { check_options: { statement, script } }: MonitorSettings,
  current: MonitorSettings | null,
  { allowsStatements = false, allowsScripts = false }: InputSurroundings,
): Generator<[field: string, problem: string]> {
  const had = current?.check_options ?? {}
  if (statement !== undefined && !allowsStatements && statement !== had['statement'])
    yield ['check_options.statement', 'Strangers use this installation, so that only SELECT 1 is run here.']
  if (script !== undefined && !allowsScripts && script !== had['script'])
    yield ['check_options.script', 'The operator of this installation lets visits run no scripts.']
}

function* accountProblems(
  { kind }: MonitorSettings,
  input: MonitorInput,
  { billing, plan, isStranger = false }: InputSurroundings,
): Generator<[field: string, problem: string]> {
  const paidFloor = isStranger ? strangersMinIntervalSeconds : paidMinIntervalSeconds
  const floor = billing === 'plan' ? plan.minIntervalSeconds : paidFloor
  const tooShort = `Must be at least ${floor} ${isStranger ? 'without an account' : 'on this plan'}.`
  const { interval_seconds: interval = floor, retry_interval_seconds: retry } = input
  if (interval < floor) yield ['interval_seconds', tooShort]
  if (typeof retry === 'number' && retry < floor) yield ['retry_interval_seconds', tooShort]
  if (isStranger && kind === 'group') yield ['kind', 'A group needs an account, which has other monitors.']
}

/** What a monitor has may stay and be sent back, also where the plan has become another one. */
function* scheduleProblems(
  { check_options: options }: MonitorSettings,
  current: MonitorSettings | null,
  { billing, plan }: InputSurroundings,
): Generator<[field: string, problem: string]> {
  const schedule = callScheduleOf(options)
  if (schedule === null || billing !== 'plan') return
  if (current !== null && isSameSchedule(schedule, callScheduleOf(current.check_options))) return
  if (isOftenerThan(schedule, plan.minIntervalSeconds))
    yield ['check_options.schedule', `Must be due at most every ${plan.minIntervalSeconds} seconds on this plan.`]
}

/** A kind that dials nothing takes a target and ignores it, so that a client can send one form for every kind. */
function hasTarget(kind: KindName): boolean {
  return kindTraits[kind].source === 'probed'
}

/** How late a call may be is a matter of kinds that are called. */
function hasGrace(kind: KindName): boolean {
  return kindTraits[kind].source === 'called'
}

function targetProblem({ kind, url }: MonitorSettings, rules: KindRules): string | null {
  if (!hasTarget(kind)) return null
  return url === null ? `This field is required for the kind ${kind}.` : rules.targetProblem(url)
}

function* locationProblems(
  { kind, locations }: MonitorSettings,
  input: MonitorInput,
  known: readonly string[],
): Generator<[field: string, problem: string]> {
  if (input.locations === undefined) return
  const unknown = locations.filter((code) => !known.includes(code))
  if (unknown.length > 0) yield ['locations', `Unknown: ${unknown.join(', ')}. Known are ${known.join(', ')}.`]
  if (new Set(locations).size < locations.length) yield ['locations', 'Must not name a location twice.']
  if (kindTraits[kind].isSingle && locations.length > 1)
    yield ['locations', `Must be one location for the kind ${kind}.`]
}

/** Blames the first of the contradicting fields that the caller gave, because that one is new. */
function contradiction(
  input: MonitorInput,
  fields: readonly [keyof MonitorInput, ...(keyof MonitorInput)[]],
  problem: string,
): Problem {
  const blamed = fields.find((field) => input[field] !== undefined) ?? fields[0]
  return [blamed, problem, fields]
}
