// A workspace with objects of each noun, the ids that inputs name, and everybody who may call.
import { createServer } from 'node:http'
import { z } from 'zod'
import { assertionGrant } from '#core/people/agent.ts'
import { createIds, type Ids, newest } from './ids.ts'
import { recipes } from './recipes.ts'
import { type Answer, type Broken, createSend, type Sent } from './send.ts'
import type { Service } from '../program.ts'
import { ownerEmail, secrets } from './service.ts'

export type Caller = {
  name: string
  /** Null for one that may call nothing. */
  may: 'read' | 'write' | null
  /** Whether it is a person who is signed in. */
  isPerson: boolean
  headers: Readonly<Record<string, string>>
}

export type World = {
  send: (sent: Sent) => Promise<Answer | Broken>
  target: string
  callers: Caller[]
  owner: Caller
  /** A person of whom nothing else depends. */
  guest: Caller
  ids: Ids
  /** Of status pages that anybody may read. */
  slugs: string[]
  origin: string
  /** A workspace that nobody calls from now on, and some ids in it. */
  still: { workspaceId: string; ids: string[] }
  /** Texts that nobody may be told: each is known to its owner alone. */
  secrets: string[]
  /** Makes objects of a list anew where few are left. */
  refill: (path: string) => Promise<void>
  close: () => void
}

const api = '/api/v1'
const person = { name: 'Guest', password: 'correct horse battery' }
const identified = z.object({ data: z.looseObject({ id: z.string() }) })
const few = 2

export async function createWorld(service: Service): Promise<World> {
  const send = createSend(service.url)
  const ask = createAsk(send)
  const { target, close } = await startTarget()
  const tokenHeaders = { 'X-API-Key': secrets.ownerToken }
  const cookies = await signIn(ask, service.url, { email: ownerEmail, password: secrets.ownerPassword })
  const account = z.object({ data: z.array(z.object({ id: z.string() })) })
  const [home] = account.parse(
    await ask('GET', '/workspaces', { headers: { ...cookies, 'X-Perigee-Workspace': 'mine' } }),
  ).data
  const owner = {
    name: 'owner',
    may: 'write',
    isPerson: true,
    headers: { ...cookies, 'X-Perigee-Workspace': home?.id ?? '' },
  } as const
  const ids = createIds()
  const make: Make = async (path, headers = { ...owner.headers }) => makeObject(ask, { path, headers, ids, target })
  const callers = await everybody(ask, { service, owner, tokenHeaders })
  const still = await stillWorkspace(ask, { owner, target })
  for (let round = 0; round < 3; round += 1) for (const path of Object.keys(recipes)) await make(path)
  const guest = callers.find(({ name }) => name === 'guest') ?? owner
  const listed = await ask('GET', '/status-pages', { headers: { ...owner.headers } })
  const { data: pages } = z.object({ data: z.array(z.looseObject({ slug: z.string() })) }).parse(listed)
  return {
    send,
    slugs: pages.map(({ slug }) => slug),
    origin: service.url,
    target,
    callers: callers.filter(({ name }) => name !== 'guest'),
    owner,
    guest,
    ids,
    still,
    secrets: [secrets.secretKey, secrets.metricsToken, secrets.ownerPassword, secrets.ownerToken],
    refill: async (path) => {
      if (path in recipes && ids.count(path) <= few) await make(path)
    },
    close,
  }
}

type Asked = { headers: Record<string, string>; body?: unknown }
type Ask = (method: string, path: string, asked: Asked) => Promise<unknown>
type Make = (path: string, headers?: Record<string, string>) => Promise<unknown>

/** Gives the body of a success; null for a refusal. */
function createAsk(send: World['send']): Ask {
  return async (method, path, { headers, body }) => {
    const sent = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const answer = await send({
      method,
      path: path.startsWith('/auth') || path.startsWith('/agent') ? path : api + path,
      headers: { ...headers, ...sent },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if ('broken' in answer || answer.status >= 300 || answer.text === '') return null
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const read: unknown = JSON.parse(answer.text)
    return path.startsWith('/auth') ? { cookies, read } : read
  }
}

type Making = { path: string; headers: Record<string, string>; ids: Ids; target: string }

async function makeObject(ask: Ask, { path, headers, ids, target }: Making): Promise<unknown> {
  const body = recipes[path]?.({ target, ids, unique: crypto.randomUUID().slice(0, 8) })
  const parent = /^(\/[\w-]+)\/\{id\}/.exec(path)?.[1]
  const parents = parent === undefined ? [] : (ids.pick(parent, newest) ?? [''])
  const made = await ask('POST', path.replace('{id}', parents[0] ?? ''), { headers, body })
  const parsed = identified.safeParse(made)
  if (parsed.success) ids.add(path, parents, parsed.data.data.id)
  return made
}

async function signIn(
  ask: Ask,
  origin: string,
  given: { email: string; password: string },
): Promise<Record<string, string>> {
  const answer = await ask('POST', '/auth/sign-in/email', { headers: { Origin: origin }, body: given })
  const { cookies } = z.object({ cookies: z.array(z.string()) }).parse(answer)
  return { Origin: origin, Cookie: cookies.join('; ') }
}

type Everybody = { service: Service; owner: Caller; tokenHeaders: Record<string, string> }

async function everybody(ask: Ask, { service, owner, tokenHeaders }: Everybody): Promise<Caller[]> {
  const token = async (
    name: string,
    scope: string,
    headers: Record<string, string> = { ...owner.headers },
  ): Promise<Record<string, string>> => {
    const made = await ask('POST', '/api-tokens', { headers, body: { name, scope, expires_at: null } })
    const text = z.object({ token: z.string() }).safeParse(made)
    if (!text.success) throw new Error(`No token was made: ${JSON.stringify(made)}`)
    return { 'X-API-Key': text.data.token }
  }
  const other = { ...owner.headers, 'X-Perigee-Workspace': await newWorkspace(ask, owner, 'Elsewhere') }
  const revoked = await ask('POST', '/api-tokens', {
    headers: { ...owner.headers },
    body: { name: 'Revoked', scope: 'write', expires_at: null },
  })
  const { token: revokedText, data } = z
    .object({ token: z.string(), data: z.object({ id: z.string() }) })
    .parse(revoked)
  await ask('DELETE', `/api-tokens/${data.id}`, { headers: { ...owner.headers } })
  const persons = await Promise.all(
    (['viewer', 'member', 'guest'] as const).map(async (role) => invited(ask, { service, owner, role })),
  )
  return [
    owner,
    { name: 'write token', may: 'write', isPerson: false, headers: tokenHeaders },
    { name: 'read token', may: 'read', isPerson: false, headers: await token('Reader', 'read') },
    {
      name: 'token of another workspace',
      may: 'write',
      isPerson: false,
      headers: await token('Other', 'write', other),
    },
    { name: 'revoked token', may: null, isPerson: false, headers: { 'X-API-Key': revokedText } },
    { name: 'nobody', may: null, isPerson: false, headers: {} },
    { name: 'nonsense', may: null, isPerson: false, headers: { Authorization: 'Bearer pgk_nonsense' } },
    { name: 'agent', may: 'write', isPerson: false, headers: await agent(ask, service.url) },
    ...persons,
  ]
}

type Invited = { service: Service; owner: Caller; role: 'viewer' | 'member' | 'guest' }

async function invited(ask: Ask, { service, owner, role }: Invited): Promise<Caller> {
  const email = `${role}@example.com`
  const asked = { email, role: role === 'guest' ? 'viewer' : role }
  const { link } = z
    .object({ link: z.string() })
    .parse(await ask('POST', '/invitations', { headers: { ...owner.headers }, body: asked }))
  const token = new URLSearchParams(link.split(/[?#]/).at(-1)).get('token')
  await ask('POST', '/auth/invitation/sign-up', { headers: { Origin: service.url }, body: { token, ...person } })
  const cookies = await signIn(ask, service.url, { email, password: person.password })
  const headers = { ...cookies, 'X-Perigee-Workspace': owner.headers['X-Perigee-Workspace'] ?? '' }
  return { name: role, may: role === 'member' ? 'write' : 'read', isPerson: true, headers }
}

async function agent(ask: Ask, url: string): Promise<Record<string, string>> {
  const identity = z
    .looseObject({ identity_assertion: z.string() })
    .parse(await ask('POST', '/agent/identity', { headers: {}, body: { type: 'anonymous' } }))
  const body = new URLSearchParams({ grant_type: assertionGrant, assertion: identity.identity_assertion })
  const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', body })
  const { access_token: text } = z.looseObject({ access_token: z.string() }).parse(await answer.json())
  return { Authorization: `Bearer ${text}` }
}

async function newWorkspace(ask: Ask, owner: Caller, name: string): Promise<string> {
  return identified.parse(await ask('POST', '/workspaces', { headers: { ...owner.headers }, body: { name } })).data.id
}

/** Its monitors rest, so that nothing in it changes by itself. */
async function stillWorkspace(ask: Ask, { owner, target }: { owner: Caller; target: string }): Promise<World['still']> {
  const workspaceId = await newWorkspace(ask, owner, 'Still')
  const headers = { ...owner.headers, 'X-Perigee-Workspace': workspaceId }
  const ids = createIds()
  const made: string[] = []
  for (const path of Object.keys(recipes).filter((each) => !each.includes('{'))) {
    const answer = identified.safeParse(await makeObject(ask, { path, headers, ids, target }))
    if (!answer.success) continue
    made.push(answer.data.data.id)
    if (path === '/monitors') await ask('POST', `/monitors/${answer.data.data.id}/pause`, { headers })
  }
  return { workspaceId, ids: made }
}

/** What monitors check: it is up, except below `/down`. */
async function startTarget(): Promise<{ target: string; close: () => void }> {
  const server = createServer((incoming, response) => {
    incoming.resume()
    response.writeHead(incoming.url?.startsWith('/down') === true ? 500 : 200).end('fine')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The target has no port.')
  return {
    target: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
