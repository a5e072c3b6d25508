// The request of a case: which operation, with which input, by whom. Case n of an operation is the same for one seed.
import { isObject } from '#api-document/openapi-schemas.ts'
import { damaged, harmed, hostileTexts } from './damage.ts'
import type { Described, Parameter } from './operations.ts'
import { type Random, randomOf } from './random.ts'
import { monitorExamples, recipes } from './recipes.ts'
import type { Sent } from './send.ts'
import { type Around, validValue } from './values.ts'
import type { Caller, World } from './world.ts'

export const inputClasses = ['valid', 'nearly valid', 'hostile'] as const
export type InputClass = (typeof inputClasses)[number]

export type Asked = { sent: Sent; caller: Caller; input: InputClass; ids: string[] }

const root = '/api/v1'
const examples = monitorExamples()
/** Sent for a workspace that nothing else needs, because they end it. */
const ending: ReadonlySet<string> = new Set(['delete_workspace', 'take_over_workspace'])
const missing = '00000000-0000-4000-8000-000000000000'

export function requestOf(operation: Described, world: World, around: Around & { seed: number; at: number }): Asked {
  const random = randomOf(around.seed, operation.name, around.at)
  const input = inputClasses[around.at % 3] ?? 'valid'
  const caller = callerOf(operation, world, { random, input })
  const ids = idsOf(operation.path, world, { random, input })
  const body = bodyOf(operation, world, { around, random })
  const query = operation.query.flatMap((parameter) => queryOf(parameter, around, random))
  const sent: Sent = {
    method: operation.method,
    path: addressOf(operation.path, ids, { query, random, input }),
    headers: headersOf(operation, { caller, world, random }),
    body: null,
  }
  const off = input === 'nearly valid' && body !== undefined ? damaged(body, random).body : body
  const whole = off === undefined ? sent : withBody(operation, sent, off)
  return { sent: input === 'hostile' ? harmed(whole, random) : whole, caller, input, ids }
}

type Drawn = { random: Random; input: InputClass }

/** Valid input comes from who may send it, most of the time: it has to reach what it asks for. */
function callerOf({ surface, scope, actsFor }: Described, world: World, { random, input }: Drawn): Caller {
  if (random.chance(input === 'valid' ? 0.1 : 0.3)) return random.pick(world.callers)
  if (surface === 'console' || actsFor === 'person' || random.chance(0.3)) return world.owner
  const may = world.callers.filter((each) => !each.isPerson && each.name !== 'agent' && each.may !== null)
  return random.pick(
    may.filter((each) => each.name.startsWith('write') || (scope === 'read' && each.name.startsWith('read'))),
  )
}

function idsOf(path: string, { ids, still }: World, { random, input }: Drawn): string[] {
  const names = [...path.matchAll(/\{\w+\}/g)]
  const [last] = names.slice(-1)
  if (last === undefined) return []
  const list = path.slice(0, last.index - 1)
  const found = ids.pick(list, random) ?? ids.pick(`/${path.split('/')[1]}`, random) ?? []
  const all = names.map((_, at) => found[at] ?? missing)
  return input !== 'valid' && random.chance(0.15) ? all.map(() => random.pick([missing, ...still.ids])) : all
}

function bodyOf(operation: Described, world: World, { around, random }: { around: Around; random: Random }): unknown {
  const { body, path, method, name } = operation
  if (operation.takesFile)
    return random.pick([
      '{}',
      'a,b\n1,2',
      'https://example.com\nhttps://example.org',
      '[{"name":"a","url":"https://example.com"}]',
    ])
  if (body === null) return undefined
  const recipe = method === 'POST' ? recipes[path] : undefined
  const unique = `${around.idFor('', random).slice(0, 4)}${random.below(1e6)}`
  const made = recipe?.({
    target: world.target,
    ids: world.ids,
    unique:
      random
        .below(2 ** 32)
        .toString(16)
        .padStart(8, '0') + unique,
  })
  const generated = validValue(body, around, random)
  if (name.endsWith('_monitor') && method === 'POST' && random.chance(0.4))
    return random.pick(examples.filter(isObject))
  if (!isObject(made)) return exampleOr(body, generated, { around, random })
  if (random.chance(0.4)) return made
  // Beyond what is needed, one member at a time: several seldom go together.
  const [name_, value] = isObject(generated)
    ? random.pick([...Object.entries(generated), ['name', made['name'] ?? null]])
    : []
  return name_ === undefined ? made : { ...made, [name_]: value }
}

/** The example of the document, about objects that are there. */
function exampleOr(body: unknown, generated: unknown, { around, random }: { around: Around; random: Random }): unknown {
  const { $ref: reference } = isObject(body) ? body : {}
  const named = typeof reference === 'string' ? around.schemas[reference.split('/').at(-1) ?? ''] : undefined
  const { examples: shown } = isObject(named) ? named : {}
  if (!Array.isArray(shown) || random.chance(0.5)) return generated
  return withIds(shown[0], '', { around, random })
}

function withIds(value: unknown, name: string, w: { around: Around; random: Random }): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withIds(each, name, w))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, withIds(each, member, w)]))
  return typeof value === 'string' && /^[\da-f]{8}-[\da-f-]{27}$/.test(value) ? w.around.idFor(name, w.random) : value
}

function queryOf({ name, schema, isRequired }: Parameter, around: Around, random: Random): [string, string][] {
  if (!isRequired && !random.chance(0.25)) return []
  const value = name === 'cursor' ? null : validValue(schema, around, random)
  return value === null || value === ''
    ? []
    : [[name, Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value)]]
}

function addressOf(
  path: string,
  ids: string[],
  { query, random, input }: Drawn & { query: [string, string][] },
): string {
  const filled = ids.reduce((text, id) => text.replace(/\{\w+\}/, id), path)
  const off = input === 'nearly valid' && query.length > 0 && random.chance(0.6)
  const sent = query.map(([name, value], at): [string, string] => [
    name,
    off && at === 0 ? random.pick(hostileTexts).toWellFormed().slice(0, 3000) : value,
  ])
  const search = new URLSearchParams(sent).toString()
  return `${root}${filled}${search === '' ? '' : `?${search}`}`
}

function headersOf(
  { name }: Described,
  { caller, world, random }: { caller: Caller; world: World; random: Random },
): Sent['headers'] {
  const workspace = ending.has(name)
    ? { 'X-Perigee-Workspace': world.ids.pick('/workspaces', random)?.[0] ?? missing }
    : {}
  // Strangers and failures are limited by their address.
  const address = { 'X-Forwarded-For': `10.${random.below(250)}.${random.below(250)}.${random.below(250)}` }
  return { ...caller.headers, ...address, ...(caller.isPerson ? workspace : {}) }
}

function withBody({ takesFile }: Described, sent: Sent, body: unknown): Sent {
  if (takesFile)
    return {
      ...sent,
      headers: { ...sent.headers, 'Content-Type': 'application/octet-stream' },
      body: typeof body === 'string' ? body : (JSON.stringify(body) ?? null),
    }
  return {
    ...sent,
    headers: { ...sent.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body) ?? null,
  }
}
