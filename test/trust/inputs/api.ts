// The operations of the API and of the console, as the loop tries them.
import { isObject } from '#api-document/openapi-schemas.ts'
import { faultOf, jsonOf } from './oracle.ts'
import { type Described, describeOperations } from './operations.ts'
import { type Asked, requestOf } from './requests.ts'
import type { Answer, Broken } from './send.ts'
import type { Subject } from './try.ts'
import type { Around } from './values.ts'
import type { World } from './world.ts'

const locationCodes = ['amsterdam', 'boston']

/** The operations of the API and of the console. `refresh` reads the lists anew, whose objects inputs make and remove. */
export async function operationSubjects(
  world: World,
  seed: number,
): Promise<{ subjects: Subject[]; refresh: () => Promise<void> }> {
  const { operations, schemas } = describeOperations(locationCodes)
  const around: Around = { schemas, target: world.target, idFor: world.ids.forMember }
  await keepOwn(operations, world)
  const subjects = operations.map((operation): Subject => ({
    name: operation.name,
    draw: async (at) => {
      await prepare(operation, world)
      return requestOf(operation, world, { ...around, seed, at })
    },
    judge: ({ input, sent }, answer) =>
      faultOf({
        operation: operationSent(operations, operation, sent.method),
        answer,
        isHarmed: input === 'hostile',
        isPart: /[?&]fields=/.test(sent.path),
        isHead: sent.method === 'HEAD',
        secrets: world.secrets,
      }),
    learn: (asked, answer) => learn(operation, { asked, answer, world }),
  }))
  return { subjects, refresh: () => refresh(operations, world) }
}

/** Harm may turn the method of a request into that of another operation, whose document then counts. */
function operationSent(operations: readonly Described[], drawn: Described, method: string): Described {
  if (method === drawn.method) return drawn
  const wanted = method === 'HEAD' ? 'GET' : method
  return operations.find((each) => each.path === drawn.path && each.method === wanted) ?? drawn
}

/** The sessions, members and tokens that are there at the start are those of the callers. */
async function keepOwn(operations: readonly Described[], world: World): Promise<void> {
  await refresh(operations, world)
  const { ids, owner, still } = world
  for (const list of ['/sessions', '/members', '/agents']) for (const id of ids.all(list)) ids.keep(id)
  ids.keep(owner.headers['X-Perigee-Workspace'] ?? '')
  ids.keep(still.workspaceId)
}

async function refresh(operations: readonly Described[], world: World): Promise<void> {
  const lists = operations.filter(
    ({ method, path, query }) =>
      method === 'GET' && !path.includes('{') && query.every(({ isRequired }) => !isRequired),
  )
  for (const operation of lists) {
    const sent = { method: 'GET', path: `/api/v1${operation.path}`, headers: world.owner.headers, body: null }
    learn(operation, {
      asked: { sent, caller: world.owner, input: 'valid', ids: [] },
      answer: await world.send(sent),
      world,
    })
  }
}

/** There is something to remove before it is removed. */
async function prepare({ path }: Described, world: World): Promise<void> {
  const [, first = '', within] = /^(\/[\w-]+)\/\{id\}(\/[\w-]+)?/.exec(path) ?? []
  if (first === '') return
  await world.refill(first)
  if (within !== undefined) await world.refill(`${first}/{id}${within}`)
}

/** Notes the ids in an answer for inputs to come, and forgets what was removed. */
function learn(
  { method, path }: Described,
  { asked, answer, world }: { asked: Asked; answer: Answer | Broken; world: World },
): void {
  if (
    'broken' in answer ||
    answer.status >= 300 ||
    asked.caller.name.includes('another') ||
    asked.caller.name === 'agent'
  )
    return
  if (method === 'DELETE') return asked.ids.slice(-1).forEach(world.ids.remove)
  const body = jsonOf(answer.text)
  if (!isObject(body) || path.startsWith('/export')) return
  for (const [member, value] of Object.entries(body)) {
    const list = member === 'data' ? path : `${path.slice(0, path.lastIndexOf('/'))}/${member}`
    for (const each of Array.isArray(value) ? value : method === 'POST' ? [value] : [])
      if (isObject(each) && typeof each['id'] === 'string') world.ids.add(list, asked.ids, each['id'])
  }
}
