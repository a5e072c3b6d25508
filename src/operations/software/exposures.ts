import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { exposureSchema, exposureStatuses } from '#core/software/exposure.ts'
import { findExposure, type FoundExposure, pageExposures } from '#store/software/exposures.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { nextCursorSchema, pageAsked, pageParameters, pageReply } from '#operations/pipeline/pages.ts'
import type { Services } from '#operations/pipeline/services.ts'

// Tools of the toolset `software` alone: the list of all tools has no room for more.
const common = { tag: 'Software and vulnerabilities', surface: 'programs', scope: 'read' } as const
const listed = { name: 'list_exposures', path: '/exposures' } as const

const list = defineOperation({
  ...common,
  ...listed,
  method: 'GET',
  summary: 'List vulnerabilities that are known to be exploited, newest first',
  description:
    'An exposure runs from the time when the software of a monitor was known to be affected by such a vulnerability. ' +
    'On plans without vulnerability alerts, only those of repository monitors are listed.',
  query: {
    schema: z.object({
      status: z.enum(exposureStatuses).optional(),
      monitor_id: z.uuid().optional(),
      vuln_id: z.string().max(200).optional().describe('The id of the vulnerability, or another name of it.'),
      ...pageParameters,
    }),
    refusal: 400,
  },
  errors: [401],
  success: {
    status: 200,
    description: 'A page of exposures.',
    schema: z.strictObject({ data: z.array(exposureSchema), next_cursor: nextCursorSchema }),
  },
  run: async (call, { query }) => {
    const { services, now } = call
    const asked = { call, list: listed, query }
    const { limit: _limit, cursor: _cursor, ...filter } = query
    const request = { ...pageAsked(asked), filter, plans: plansWithAlerts(services), at: now }
    return pageReply(asked, await pageExposures(services.database, request))
  },
})

const get = defineOperation({
  ...common,
  name: 'get_exposure',
  method: 'GET',
  path: '/exposures/{id}',
  summary: 'Show a vulnerability that is known to be exploited: evidence, fixed version and proof',
  description: 'With `next_step`, what to do now.',
  errors: [401, 404],
  success: { status: 200, description: 'The exposure.', schema: z.strictObject({ data: exposureSchema }) },
  find: findOneExposure,
  run: async (_, { target }) => ({ status: 200, body: { data: target.exposure } }),
})

export const exposureOperations = [list, get]

/** `id` and `name` are for the audit log: those of the monitor. */
export async function findOneExposure(
  { caller, services, now }: Context,
  path: Record<string, string>,
): Promise<FoundExposure & { id: string; name: string }> {
  const { id = '' } = path
  const scope = { workspaceId: caller.workspaceId, id, plans: plansWithAlerts(services), at: now }
  const found = await findExposure(services.database, scope)
  if (found === undefined) throw fail('not_found', 'There is no such exposure in this workspace.')
  const { monitor_id: monitorId, monitor_name: name } = found.exposure
  return { ...found, id: monitorId, name }
}

function plansWithAlerts({ plans }: Pick<Services, 'plans'>): string[] {
  return Object.entries(plans).flatMap(([name, plan]) => (plan.hasVulnerabilityAlerts ? [name] : []))
}
