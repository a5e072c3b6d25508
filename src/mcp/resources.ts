import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import { describeDown } from './down.ts'
import { kindOptions, kindRoot } from './kind-options.ts'
import { bodyOf, unknownResource } from './refused.ts'
import { requestOf } from './tool-arguments.ts'
import type { Tool } from './tool.ts'
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
    'The monitors that are down or degraded now, then those of which nobody can tell how they are (`unknown_since`), 100 ' +
    'of them at most, each with the incident that runs if it is among the newest 500.',
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
]

/** Whether strangers may read it: it holds nothing of a workspace. */
export function isOpenResource(uri: string): boolean {
  return uri.startsWith(kindRoot)
}

export type ResourceContents = { uri: string; mimeType: string; text: string }

/** Throws the protocol's error where there is none, or the visitor may not see it. */
export type ReadResource = (uri: string, visit: Visit) => Promise<ResourceContents>

export function createReadResource(tools: readonly Tool[], kinds: DescribedKinds): ReadResource {
  const options = kindOptions(kinds)

  async function answer(name: string, given: Record<string, string>, visit: Visit): Promise<unknown> {
    const operation = tools.find((tool) => tool.operation.name === name)?.operation
    if (operation === undefined) throw new Error(`No operation is called ${name}.`)
    return bodyOf(await ask(visit, operation, () => requestOf(operation, given)))
  }

  async function contentsOf(uri: string, visit: Visit): Promise<unknown> {
    if (isOpenResource(uri)) return options.get(uri.slice(kindRoot.length))
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
