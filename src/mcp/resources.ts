import { contactOptionSchemas } from '#api-document/openapi-contacts.ts'
import { describeDown } from './down.ts'
import { contactKindRoot, kindOptions, kindRoot } from './kind-options.ts'
import { bodyOf, unknownResource } from './refused.ts'
import { requestOf } from './tool-arguments.ts'
import type { ToolOptions } from './tool.ts'
import { type Visit, ask } from './visit.ts'

const mimeType = 'application/json'
const monitorRoot = 'perigee://monitors/'
export const downUri = 'perigee://down'

/** What a client can attach to a conversation without calling a tool. */
export const downResource = {
  uri: downUri,
  name: 'down',
  title: 'What is down',
  description:
    'The monitors that are down or degraded now, then those whose state is not known (`unknown_since`), at most ' +
    '100, each with its ongoing incident if that is among the newest 500.',
  mimeType,
}

export const resourceTemplates = [
  {
    uriTemplate: `${monitorRoot}{id}`,
    name: 'monitor',
    title: 'A monitor',
    description: 'A monitor with its state, uptime, newest results and incidents.',
    mimeType,
  },
  {
    uriTemplate: `${kindRoot}{kind}`,
    name: 'kind',
    title: 'The options of a kind',
    description: 'The JSON Schema of the check_options of a kind of monitors.',
    mimeType,
  },
  {
    uriTemplate: `${contactKindRoot}{kind}`,
    name: 'contact_kind',
    title: 'The options of a kind of contact',
    description: 'The JSON Schema of the options of a kind of contacts; what is writeOnly in it is never returned.',
    mimeType,
  },
]

/** Whether strangers may read it: it holds nothing of a workspace. */
export function isOpenResource(uri: string): boolean {
  return uri.startsWith(kindRoot) || uri.startsWith(contactKindRoot)
}

export type ResourceContents = { uri: string; mimeType: string; text: string }

/** Throws the protocol's error where there is none, or the visitor may not see it. */
export type ReadResource = (uri: string, visit: Visit) => Promise<ResourceContents>

export function createReadResource({
  operations,
  kinds,
  contactKinds,
}: Omit<ToolOptions, 'paymentOffers'>): ReadResource {
  const options = kindOptions(kinds)
  const contactOptions = new Map(Object.entries(contactOptionSchemas(contactKinds)))

  async function answer(name: string, given: Record<string, string>, visit: Visit): Promise<unknown> {
    const operation = operations.find((each) => each.name === name)
    if (operation?.actsFor !== 'workspace') throw new Error(`No operation is called ${name}.`)
    return bodyOf(await ask(visit, operation, () => requestOf(operation, given)))
  }

  async function contentsOf(uri: string, visit: Visit): Promise<unknown> {
    if (uri.startsWith(kindRoot)) return options.get(uri.slice(kindRoot.length))
    if (uri.startsWith(contactKindRoot)) return contactOptions.get(uri.slice(contactKindRoot.length))
    if (uri.startsWith(monitorRoot)) return answer('get_monitor', { id: uri.slice(monitorRoot.length) }, visit)
    if (uri !== downUri) return undefined
    const [monitors, incidents] = [await answer('list_monitors', {}, visit), await answer('list_incidents', {}, visit)]
    return describeDown(monitors, incidents, visit.frame.now())
  }

  return async (uri, visit) => {
    const contents = await contentsOf(uri, visit)
    if (contents === undefined) throw unknownResource(uri)
    return { uri, mimeType, text: JSON.stringify(contents) }
  }
}
