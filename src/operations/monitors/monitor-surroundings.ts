import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { z } from 'zod'
import { type AppError, type Fields, fail, invalidFields } from '#core/language/error.ts'
import type { InputSurroundings, KindRules } from '#core/monitors/monitor-input.ts'
import type { MonitorInput, MonitorRecord, MonitorSettings } from '#core/monitors/monitor.ts'
import { circleThrough } from '#core/monitors/parents.ts'
import type { Plan } from '#core/money/plan.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { kinds } from '#kinds/index.ts'
import type { AnyKind, ForbiddenAddress, OptionHost } from '#kinds/kind.ts'
import { holdPolicy } from '#store/contacts/escalation-policies.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import type { Transaction } from '#store/database/database.ts'
import { listLocations } from '#store/installation/locations.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { isMember, listPossibleMembers } from '#store/monitors/monitors.ts'
import { listParentLinks, listPresent } from '#store/monitors/parents.ts'
import { type ReportBounds, findReportBounds } from '#store/monitors/report-bounds.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { issueFields, sentence } from '#operations/pipeline/validation.ts'

/** A monitor of the caller's workspace, for `find`: 404 for any other. */
export async function findTarget(context: Context, path: Record<string, string>): Promise<MonitorRecord> {
  const { services, caller, now } = context
  const { id: monitorId = '' } = path
  const { workspaceId } = caller
  const found = await findMonitor(services.database, services.secrets, { workspaceId, monitorId, now })
  return found ?? monitorNotFound()
}

/** The same for what only reports on its past. */
export async function findMonitorReportBounds(
  { services, caller, now }: Context,
  path: Record<string, string>,
): Promise<ReportBounds> {
  const { id: monitorId = '' } = path
  const { workspaceId } = caller
  const found = await findReportBounds(services.database, { workspaceId, monitorId, today: dayOf(now) })
  return found ?? monitorNotFound()
}

export function monitorNotFound(): never {
  throw noSuchMonitor()
}

export function noSuchMonitor(): AppError {
  return fail('not_found', 'There is no such monitor in this workspace.')
}

export function planOf(services: Pick<Services, 'plans'>, name: string): Plan {
  const plan = services.plans[name]
  if (plan === undefined) throw new Error(`The plan ${name} is not configured.`)
  return plan
}

/** Whose request it is; `mayAllowPrivateTarget` as the function of that name says. */
type Asking = { workspaceId: string | null; services: Services; mayAllowPrivateTarget?: boolean }

type Surroundings = Omit<InputSurroundings, 'plan' | 'billing' | 'billingPeriod' | 'isStranger'>

/**
 * What the rules of an input need to know, read and held by the transaction that writes the monitor. A workspace that
 * does not exist yet, null, has no contacts.
 */
export async function readSurroundings(
  tx: Transaction,
  { workspaceId, services, mayAllowPrivateTarget = false }: Asking,
  input: Pick<MonitorInput, 'alert_channel_ids' | 'escalation_policy_id'>,
): Promise<Surroundings> {
  const contactIds = workspaceId === null ? [] : await holdContacts(tx, workspaceId, input.alert_channel_ids ?? [])
  const policyId = input.escalation_policy_id ?? null
  const hasPolicy = workspaceId !== null && policyId !== null && (await holdPolicy(tx, { workspaceId, id: policyId }))
  const locations = await listLocations(tx)
  return {
    rulesOf: (kind, { isPrivateAllowed }) => rulesOf(kinds[kind], isForbiddenWith(services, isPrivateAllowed)),
    mayAllowPrivateTarget,
    canaryTokens: services.canaryTokens,
    allowsStatements: services.allowsStatements,
    allowsScripts: services.allowsScripts,
    locationCodes: locations.map(({ code }) => code),
    contactIds,
    hasPolicy,
  }
}

type Grouping = Pick<MonitorSettings, 'kind' | 'check_options'>
type GroupChange = { workspaceId: string; monitorId: string; before: Grouping | null; isListed: boolean }

/**
 * Members of a group are monitors of its workspace, not groups, and not itself (docs/decisions/targets-and-kinds.md,
 * "Groups"). `before` is null for a new monitor. `isListed`: the request names the members; where it does not, those
 * that were deleted may stay, so that a change of something else need not mention them.
 */
export async function assertMembers(
  tx: Transaction,
  { workspaceId, monitorId, before, isListed }: GroupChange,
  settings: Grouping,
): Promise<void> {
  if (settings.kind !== 'group') return
  if (before !== null && before.kind !== 'group' && (await isMember(tx, { workspaceId, monitorId })))
    throw invalidFields({ kind: ['A member of a group cannot become a group.'] })
  const held = new Set(before === null || isListed ? [] : memberIdsOf(before))
  const memberIds = memberIdsOf(settings).filter((id) => !held.has(id))
  if (memberIds.length === 0) return
  const allowed = new Set(await listPossibleMembers(tx, { workspaceId, memberIds }))
  const problems = memberIds.flatMap((id) => {
    if (id === monitorId) return ['A group cannot be its own member.']
    return allowed.has(id) ? [] : [`${id} is no monitor of this workspace that a group can have.`]
  })
  if (problems.length > 0) throw invalidFields({ 'check_options.member_ids': problems })
}

/** `monitorId` is one that no other can name yet, where the monitor is new. `workspaceId` null: it begins with it. */
type ParentChange = { workspaceId: string | null; monitorId: string; input: Pick<MonitorInput, 'depends_on'> }

/**
 * Parents that a request names are other monitors of the workspace, each once, and none of them depends on the monitor.
 * The caller has locked the workspace, so that no circle closes between two requests.
 */
export async function assertParents(
  tx: Transaction,
  { workspaceId, monitorId, input: { depends_on: parentIds = [] } }: ParentChange,
  { name }: Pick<MonitorSettings, 'name'>,
): Promise<void> {
  if (parentIds.length === 0) return
  const present = workspaceId === null ? [] : await listPresent(tx, { workspaceId, monitorIds: parentIds })
  const problems = parentIds.flatMap((id, place) => {
    if (id === monitorId) return ['A monitor cannot depend on itself.']
    if (parentIds.indexOf(id) < place) return [`${id} is named more than once.`]
    return present.includes(id) ? [] : [`${id} is no monitor of this workspace.`]
  })
  if (problems.length > 0 || workspaceId === null) throw invalidFields({ depends_on: problems })
  const circle = circleThrough({ id: monitorId, name, parentIds }, await listParentLinks(tx, workspaceId))
  if (circle !== null)
    throw invalidFields({ depends_on: [`Monitors cannot depend on each other in a circle: ${circle.join(' → ')}.`] })
}

function memberIdsOf({ kind, check_options: options }: Grouping): string[] {
  return kind === 'group' ? membersSchema.parse(options).member_ids : []
}

const membersSchema = z.looseObject({ member_ids: z.array(z.string()) })

function isForbiddenWith({ isForbiddenAddress, ownNetwork }: Services, isPrivateAllowed: boolean): ForbiddenAddress {
  return isPrivateAllowed && ownNetwork !== null ? ownNetwork.isForbiddenAddress : isForbiddenAddress
}

function rulesOf(kind: AnyKind, isForbidden: ForbiddenAddress): KindRules {
  return {
    targetProblem: (url) => kind.targetProblem(url, isForbidden),
    secretOptions: kind.secretOptions,
    parseOptions: (options) => {
      const parsed = kind.options.safeParse(options, { error: sentence })
      if (!parsed.success) return { ok: false, fields: issueFields(parsed.error.issues, 'check_options') }
      const forbidden = kind.optionHosts(parsed.data).filter(({ host }) => isForbidden(host))
      if (forbidden.length > 0) return { ok: false, fields: forbiddenFields(forbidden) }
      return { ok: true, value: parsed.data }
    },
  }
}

function forbiddenFields(hosts: readonly OptionHost[]): Fields {
  return Object.fromEntries(
    hosts.map(({ path, host }) => [['check_options', ...path].join('.'), [forbiddenTarget(host)]]),
  )
}
