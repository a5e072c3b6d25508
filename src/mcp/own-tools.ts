// Tools that stand for no operation: what a model needs to use the others with few words.
import { pricing } from '#core/money/pricing.ts'
import { kindTraits, isKindName } from '#core/monitors/kind-traits.ts'
import { contactOptionSchemas } from '#api-document/openapi-contacts.ts'
import { optionSchemas } from '#api-document/openapi-kinds.ts'
import { isObject } from '#api-document/openapi-schemas.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import type { Reply, WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { errorReply } from '#operations/pipeline/reply.ts'
import { pageNote } from './answer-size.ts'
import { type ToolCall, type ToolResult, contentOf, refusalOf } from './call-tool.ts'
import { withIdAdvice } from './ids.ts'
import { whileTelling } from './progress.ts'
import { type Arguments, nameProblems, requestOf } from './tool-arguments.ts'
import { inputOf } from './tool-schemas.ts'
import type { ToolDefinition, ToolOptions } from './tool.ts'
import { type Visit, ask, isOpenTo } from './visit.ts'

export type OwnTool = {
  definition: ToolDefinition
  isOpenTo: (visit: Visit) => boolean
  call: (call: ToolCall, visit: Visit) => Promise<ToolResult>
}

export type OwnToolName = 'find_monitors' | 'get_monitor_kind' | 'get_contact_kind' | 'check_monitor'

/** Whether strangers may call it: it tells nothing of a workspace. */
export function isOpenOwnTool(name: string): boolean {
  return name === 'get_monitor_kind' || name === 'get_contact_kind'
}

export function createOwnTools(names: readonly OwnToolName[], options: ToolOptions): OwnTool[] {
  return names.map((name) => makers[name](options))
}

const makers: Readonly<Record<OwnToolName, (options: ToolOptions) => OwnTool>> = {
  find_monitors: findMonitors,
  get_monitor_kind: getMonitorKind,
  get_contact_kind: getContactKind,
  check_monitor: checkMonitor,
}

const findBy: ReadonlySet<string> = new Set(['name', 'tag', 'status', 'kind', 'url', 'limit', 'cursor'])
const foundFields = ['id', 'name', 'kind', 'url', 'tags', 'status', 'current_status', 'last_checked_at']

function findMonitors({ operations }: ToolOptions): OwnTool {
  const operation = operationOf(operations, 'list_monitors')
  const { properties } = inputOf(operation, {})
  const inputSchema = {
    type: 'object' as const,
    properties: Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).filter(([name]) => findBy.has(name)),
    ),
    additionalProperties: false,
  }
  const definition = {
    name: 'find_monitors',
    description:
      'Finds monitors by a part of the name or the address, by tag, kind or state, and says of each only its id, name, ' +
      'kind, url, tags and state. All conditions have to hold; without any, all monitors are found. Shows 25 unless ' +
      '`limit` says otherwise; `next_cursor` leads on.',
    inputSchema,
    annotations: { readOnlyHint: true },
  }
  return {
    definition,
    isOpenTo: (visit) => isOpenTo(visit, operation),
    call: async ({ given }, visit) => {
      const problems = nameProblems(inputSchema, operation, given)
      const asked = { limit: 25, ...given, fields: foundFields }
      const reply = await ask(visit, operation, () => requestOf(operation, asked, { problems }))
      return reply.status >= 400 ? refusalOf(reply.body) : contentOf(reply.body, pageNote(reply.body))
    },
  }
}

function getMonitorKind({ kinds }: ToolOptions): OwnTool {
  const names = Object.keys(kinds).filter(isKindName)
  const options = optionSchemas(kinds)
  const { currency, pricePerLocationCents, lifetimePricePerLocationCents, renewalDays } = pricing
  const price = {
    currency,
    location_cents: pricePerLocationCents,
    location_days: renewalDays,
    location_for_life_cents: lifetimePricePerLocationCents,
  }
  const description =
    'Says what a monitor of a kind needs: the JSON Schema of its check_options with defaults and limits, whether it ' +
    'needs a url, how many locations it may have, where its results come from, and what it costs where no plan covers it.'
  return openTool({ name: 'get_monitor_kind', description, kinds: names }, (kind, { payments }) => {
    const described = kinds[kind]
    if (described === undefined || !isKindName(kind)) return null
    const { source, isSingle, longestCheckMs } = kindTraits[kind]
    const needsOptions = !described.options.safeParse({}).success
    return {
      kind,
      required: ['name', ...(described.isPassive ? [] : ['url']), ...(needsOptions ? ['check_options'] : [])],
      results_from: source === 'probed' ? 'checks' : source === 'called' ? 'calls' : 'members',
      most_locations: isSingle ? 1 : mostLocations,
      longest_check_ms: longestCheckMs === 0 ? null : longestCheckMs,
      check_options: options[kind] ?? {},
      price: payments === null ? null : price,
    }
  })
}

const mostLocations = 10

function getContactKind({ contactKinds }: ToolOptions): OwnTool {
  const options = contactOptionSchemas(contactKinds)
  const description =
    'Says what a contact of a kind needs: the JSON Schema of its options. What is writeOnly in it is never returned.'
  return openTool({ name: 'get_contact_kind', description, kinds: Object.keys(contactKinds) }, (kind) =>
    Object.hasOwn(options, kind) ? { kind, options: options[kind] } : null,
  )
}

function checkMonitor({ operations }: ToolOptions): OwnTool {
  const operation = operationOf(operations, 'try_monitor_change')
  const inputSchema = {
    type: 'object' as const,
    properties: {
      id: { type: 'string', format: 'uuid' },
      location: { type: 'string', description: 'Where the check is made. Default: the first of the monitor.' },
    },
    required: ['id'],
    additionalProperties: false,
  }
  const definition = {
    name: 'check_monitor',
    description:
      'Runs the check of a monitor once, now, as it is set, and answers what was found. The result is not kept: it ' +
      'opens and resolves no incident. Takes as long as the check, and tells its progress to clients ' +
      'that send a progress token. A heartbeat, a webhook or a group has no check.',
    inputSchema,
    annotations: { destructiveHint: false },
  }
  return {
    definition,
    isOpenTo: (visit) => isOpenTo(visit, operation),
    call: async ({ given, telling }, visit) => {
      const problems = nameProblems(inputSchema, operation, given)
      const asking = (): Promise<Reply> => ask(visit, operation, () => requestOf(operation, given, { problems }))
      const reply = await whileTelling(telling, 'The check is running.', asking)
      if (reply.status < 400) return contentOf(reply.body, [])
      return refusalOf(withIdAdvice(reply, { operation, finders: { id: 'find_monitors' }, given }).body)
    },
  }
}

type Described = { name: string; description: string; kinds: readonly string[] }

/** A tool about a kind, which tells nothing of a workspace and so is open to everybody, and counts as no request. */
function openTool(
  { name, description, kinds }: Described,
  tell: (kind: string, services: Visit['frame']['services']) => Record<string, unknown> | null,
): OwnTool {
  const inputSchema = {
    type: 'object' as const,
    properties: { kind: { type: 'string', enum: kinds } },
    required: ['kind'],
    additionalProperties: false,
  }
  return {
    definition: { name, description, inputSchema, annotations: { readOnlyHint: true } },
    isOpenTo: () => true,
    call: async ({ given }, { frame }) => {
      const { kind } = given
      const data = isKindAlone(given) && typeof kind === 'string' ? tell(kind, frame.services) : null
      if (data !== null) return contentOf({ data }, [])
      return refusalOf(errorReply(kindProblem(given, kinds), frame.services.publicUrl).body)
    },
  }
}

function isKindAlone(given: Arguments): boolean {
  return Object.keys(given).every((name) => name === 'kind')
}

function kindProblem(given: Arguments, kinds: readonly string[]): ReturnType<typeof fail> {
  const unknown = Object.keys(given).filter((name) => name !== 'kind')
  const isKnown = typeof given['kind'] === 'string' && kinds.includes(given['kind'])
  return invalidFields({
    ...Object.fromEntries(unknown.map((name) => [name, ['Unknown argument.']])),
    ...(isKnown ? {} : { kind: [`Must be one of ${kinds.join(', ')}.`] }),
  })
}

function operationOf(operations: ToolOptions['operations'], name: string): WorkspaceVerb {
  const operation = operations.find((each) => each.name === name)
  if (operation?.actsFor !== 'workspace') throw new Error(`No operation is called ${name}.`)
  return operation
}
