// The tools for models, from their own schemas, and messages that are no proper JSON-RPC.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { toolsetNames } from '#core/toolsets.ts'
import { isObject } from '#api-document/openapi-schemas.ts'
import { damaged, harmed } from './damage.ts'
import { jsonOf, leakIn } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { type Asked, inputClasses } from './requests.ts'
import type { Answer, Broken, Sent } from './send.ts'
import type { Subject } from './try.ts'
import { validValue } from './values.ts'
import type { World } from './world.ts'

const listed = z.object({
  result: z.object({
    tools: z.array(
      z.looseObject({
        name: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        outputSchema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
})

const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

export async function toolSubjects(world: World, seed: number): Promise<Subject[]> {
  const writer = world.callers.find(({ name }) => name === 'write token') ?? world.owner
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const subjects = (await everyTool(world, writer.headers)).map(
    ({ name, inputSchema, outputSchema, path }): Subject => {
      const validate = outputSchema === undefined ? null : ajv.compile(outputSchema)
      const { $defs: schemas } = inputSchema
      const draw = (random: Random): unknown => {
        const around = { schemas: isObject(schemas) ? schemas : {}, target: world.target, idFor: idFor(world, name) }
        return {
          jsonrpc: '2.0',
          id: 7,
          method: 'tools/call',
          params: { name, arguments: validValue(inputSchema, around, random) },
        }
      }
      return subjectOf(`mcp ${name}`, { draw, validate, world, seed, path })
    },
  )
  return [
    ...subjects,
    subjectOf('mcp messages', { draw: (random) => random.pick(messages), validate: null, world, seed, path: root }),
  ]
}

const root = '/mcp'

type Listed = z.infer<typeof listed>['result']['tools'][number]

/** The tools of the whole, and those that only toolsets have, each with the address that has it. */
async function everyTool(
  world: World,
  credentials: Readonly<Record<string, string>>,
): Promise<(Listed & { path: string })[]> {
  const found = new Map<string, Listed & { path: string }>()
  for (const path of [root, ...toolsetNames.map((name) => `${root}/${name}`)]) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const list = await world.send(messageOf(message, { credentials, path }))
    if ('broken' in list) throw new Error(`The tools could not be listed: ${list.broken}`)
    for (const tool of listed.parse(messageIn(list)).result.tools)
      if (!found.has(tool.name)) found.set(tool.name, { ...tool, path })
  }
  return [...found.values()]
}

/** The member `id` of a tool is one of its noun: `get_monitor` has that of a monitor. */
function idFor({ ids }: World, tool: string): World['ids']['forMember'] {
  const noun = tool.split('_').slice(1).join('_')
  return (name, random) => ids.forMember(name === 'id' ? noun : name, random)
}

const messages: readonly unknown[] = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { jsonrpc: '2.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { cursor: 'nonsense' } },
  { jsonrpc: '2.0', id: 1, method: 'resources/list' },
  { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
  { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
  { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: '__proto__', arguments: { a: 1 } } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'constructor', arguments: {} } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_monitor' } },
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: {}, method: 'ping' },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 7 },
  { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'x' }, argument: {} },
  },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  { jsonrpc: '2.0', id: 1, result: {} },
  [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 'ping' },
  ],
  [],
  {},
  'ping',
]

type Tool = {
  draw: (random: Random) => unknown
  validate: ValidateFunction | null
  world: World
  seed: number
  path: string
}

function subjectOf(name: string, { draw, validate, world, seed, path }: Tool): Subject {
  return {
    name,
    draw: (at) => {
      const random = randomOf(seed, name, at)
      const input = inputClasses[at % inputClasses.length] ?? 'valid'
      const message = draw(random)
      const caller = random.chance(0.6)
        ? (world.callers.find((each) => each.name === 'write token') ?? world.owner)
        : random.pick(world.callers)
      const sent = messageOf(input === 'nearly valid' ? offIn(message, random) : message, {
        credentials: caller.headers,
        path,
      })
      return { sent: input === 'hostile' ? harmed(sent, random) : sent, caller, input, ids: [] }
    },
    judge: (asked, answer) => faultOf(name, { asked, answer, validate, secrets: world.secrets }),
  }
}

/** The arguments are off, and seldom the message itself. */
function offIn(message: unknown, random: Random): unknown {
  if (!isObject(message) || !isObject(message['params']) || random.chance(0.2)) return damaged(message, random).body
  return {
    ...message,
    params: { ...message['params'], arguments: damaged(message['params']['arguments'] ?? {}, random).body },
  }
}

type Addressed = { credentials: Readonly<Record<string, string>>; path: string }

function messageOf(message: unknown, { credentials, path }: Addressed): Sent {
  return {
    method: 'POST',
    path,
    headers: { ...headers, ...credentials },
    body: JSON.stringify(message) ?? 'undefined',
  }
}

type Judged = { asked: Asked; answer: Answer | Broken; validate: ValidateFunction | null; secrets: readonly string[] }

function faultOf(name: string, { asked, answer, validate, secrets }: Judged): string | null {
  if ('broken' in answer) return asked.input === 'hostile' ? null : `${name} did not answer: ${answer.broken}`
  const said = `${name} answered ${answer.status}`
  const leak = leakIn(answer.text, secrets)
  if (leak !== null) return `${said} and ${leak}`
  if (answer.status >= 500 && answer.status !== 503) return `${said}: ${answer.text.slice(0, 300)}`
  if (answer.text === '' || asked.input === 'hostile') return null
  return messageFault(said, messageIn(answer), validate)
}

function messageFault(said: string, message: unknown, validate: ValidateFunction | null): string | null {
  if (Array.isArray(message)) return null
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return `${said} with no message of JSON-RPC: ${JSON.stringify(message)?.slice(0, 300)}`
  const { error, result } = message
  if (isObject(error))
    return Number.isInteger(error['code']) && typeof error['message'] === 'string'
      ? null
      : `${said} with an error without code or message`
  if (!isObject(result)) return `${said} with neither result nor error`
  if (validate === null || result['isError'] === true || result['structuredContent'] === undefined) return null
  if (validate(result['structuredContent'])) return null
  return `${said} with what is not its output schema's: ${JSON.stringify(validate.errors?.[0])}`
}

/** The only event of a stream, or the whole of what is none. */
function messageIn({ text }: Answer): unknown {
  return jsonOf(/^data: ([^\n]+)/m.exec(text)?.[1] ?? text)
}
