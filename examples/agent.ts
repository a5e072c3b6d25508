// An agent that comes to a token by itself, for Node 24 without any package:
//
//   node examples/agent.ts https://up.example.com service_auth you@example.com
//   node examples/agent.ts https://up.example.com anonymous [you@example.com]
//   ID_JAG=… node examples/agent.ts https://up.example.com identity_assertion
//
// It discovers the endpoints, registers, shows its user the link and the code, waits for them, and then looks at the
// account every few seconds until the user disconnects it.
import { setTimeout as wait } from 'node:timers/promises'

type Answer = { status: number; body: Record<string, unknown> }
type Credentials = { token: string; assertion: string }

const [service = '', type = '', email] = process.argv.slice(2)
const lookEverySeconds = 2
/** Codes that are asked for before the agent gives up. */
const maxCodes = 3

const endpoints = await discover()
const credentials = await register()
if (credentials !== null) await work(credentials)

async function discover(): Promise<Record<'identity' | 'claim' | 'token', string> & { claimGrant: string }> {
  const challenged = await fetch(`${service}/api/v1/account`, { signal: AbortSignal.timeout(10_000) })
  const challenge = challenged.headers.get('www-authenticate') ?? ''
  const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  if (address === undefined) throw new Error(`${service} does not say where its metadata are.`)
  const { body: resource } = await get(address)
  const [issuer] = listOf(resource, 'authorization_servers')
  const { body: server } = await get(`${issuer}/.well-known/oauth-authorization-server`)
  const agentAuth = objectOf(server, 'agent_auth')
  const claimGrant = listOf(server, 'grant_types_supported').find((grant) =>
    grant.endsWith(':agent-auth:grant-type:claim'),
  )
  if (claimGrant === undefined) throw new Error(`${issuer} has no claim grant.`)
  return {
    identity: textOf(agentAuth, 'identity_endpoint'),
    claim: textOf(agentAuth, 'claim_endpoint'),
    token: textOf(server, 'token_endpoint'),
    claimGrant,
  }
}

/** Null when there is nothing to go on with. */
async function register(): Promise<Credentials | null> {
  const { status, body } = await post(endpoints.identity, requestOf())
  say(`registered as ${textOf(body, 'registration_id')}`, status, body)
  if (typeof body['identity_assertion'] !== 'string') return claim(textOf(body, 'claim_token'), objectOf(body, 'claim'))
  const own =
    typeof body['access_token'] === 'string' ? credentialsOf(body) : await exchange(body['identity_assertion'])
  if (own === null || type !== 'anonymous' || email === undefined) return own
  await look(own.token)
  const claimToken = textOf(body, 'claim_token')
  return claim(claimToken, await anotherCode(claimToken))
}

function requestOf(): Record<string, string | undefined> {
  switch (type) {
    case 'service_auth':
      return { type, login_hint: email }
    case 'identity_assertion': {
      const assertion = process.env['ID_JAG']
      return { type, assertion_type: 'urn:ietf:params:oauth:token-type:id-jag', assertion }
    }
    case 'anonymous':
      return { type }
    default:
      throw new Error('The second argument is service_auth, identity_assertion or anonymous.')
  }
}

/** Waits until the user has typed the code, asking for another one when it ended. */
async function claim(claimToken: string, first: Record<string, unknown>): Promise<Credentials> {
  let block = first
  for (let codes = 1; ; codes += 1) {
    console.log(`open ${textOf(block, 'verification_uri')}\ntype ${textOf(block, 'user_code')}`)
    const granted = await poll(claimToken, Number(block['interval']))
    if (granted !== null) return granted
    if (codes === maxCodes) throw new Error('Nobody typed a code in time.')
    block = await anotherCode(claimToken)
  }
}

async function anotherCode(claimToken: string): Promise<Record<string, unknown>> {
  const { body } = await post(endpoints.claim, { claim_token: claimToken, email })
  return objectOf(body, 'claim_attempt')
}

/** Null when the code has ended. */
async function poll(claimToken: string, firstSeconds: number): Promise<Credentials | null> {
  let seconds = firstSeconds
  for (;;) {
    await wait(seconds * 1000)
    const { status, body } = await form({ grant_type: endpoints.claimGrant, claim_token: claimToken })
    if (status === 200) return credentialsOf(body)
    if (body['error'] === 'slow_down') seconds += 5
    else if (body['error'] === 'expired_token') return null
    else if (body['error'] !== 'authorization_pending') throw new Error(`The claim failed: ${JSON.stringify(body)}`)
  }
}

/** Uses the token until it ends, exchanges the assertion once more, and ends when that fails. */
async function work(first: Credentials): Promise<void> {
  for (let current: Credentials | null = first; current !== null; current = await exchange(current.assertion)) {
    while (await look(current.token)) await wait(lookEverySeconds * 1000)
    console.log('the token has ended')
  }
  console.log('disconnected')
}

async function look(token: string): Promise<boolean> {
  const response = await fetch(`${service}/api/v1/account`, {
    headers: { 'X-API-Key': token },
    signal: AbortSignal.timeout(10_000),
  })
  const text = await response.text()
  if (response.status === 200) console.log(`account ${text}`)
  else if (response.status !== 401) throw new Error(`The account cannot be read: ${response.status} ${text}`)
  return response.status === 200
}

/** Null when the assertion has ended, or the user has disconnected the agent. */
async function exchange(assertion: string): Promise<Credentials | null> {
  const { status, body } = await form({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  if (status === 200) return credentialsOf(body)
  if (body['error'] === 'invalid_grant') return null
  throw new Error(`The exchange failed: ${JSON.stringify(body)}`)
}

function credentialsOf(body: Record<string, unknown>): Credentials {
  return { token: textOf(body, 'access_token'), assertion: textOf(body, 'identity_assertion') }
}

function say(what: string, status: number, body: Record<string, unknown>): void {
  const error = typeof body['error'] === 'string' ? `, ${body['error']}` : ''
  console.log(`${what} (${status}${error})`)
}

function get(address: string): Promise<Answer> {
  return ask(address, {})
}

function post(address: string, body: unknown): Promise<Answer> {
  return ask(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function form(parameters: Record<string, string>): Promise<Answer> {
  return ask(endpoints.token, { method: 'POST', body: new URLSearchParams(parameters) })
}

async function ask(address: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(address, { ...request, signal: AbortSignal.timeout(10_000) })
  return { status: response.status, body: objectOf({ answer: await response.json() }, 'answer') }
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value !== 'string') throw new Error(`There is no ${name} in ${JSON.stringify(body)}`)
  return value
}

function objectOf(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = body[name]
  if (typeof value !== 'object' || value === null) throw new Error(`There is no ${name} in ${JSON.stringify(body)}`)
  return { ...value }
}

function listOf(body: Record<string, unknown>, name: string): string[] {
  const value = body[name]
  if (!Array.isArray(value)) throw new Error(`There is no ${name} in ${JSON.stringify(body)}`)
  return value.map(String)
}
