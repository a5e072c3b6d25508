// A program that asks people for access as OAuth 2.1 has it, and the page on which they agree.
import { createHash, randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import { type AgentAnswer, type AgentBench, textOf } from './agents.ts'
import type { Answer } from './api.ts'
import type { Browser } from './people.ts'

export const callback = 'https://editor.example/callback'

export type Owner = { browser: Browser; workspaceId: string }

export type OauthProgram = {
  clientId: string
  verifier: string
  /** As it stands in the address that the program sends its person to. */
  request: Record<string, string>
  /** What the person's page is told. */
  view: (owner: Owner, changes?: Record<string, string>) => Promise<Answer>
  agree: (owner: Owner, changes?: Agreement) => Promise<Answer>
  /** Agrees, and takes the code out of the address. */
  codeFrom: (owner: Owner, changes?: Agreement) => Promise<string>
  exchange: (code: string, changes?: Record<string, string>) => Promise<AgentAnswer>
  refresh: (refreshToken: string, changes?: Record<string, string>) => Promise<AgentAnswer>
  /** All of it. */
  connect: (owner: Owner, changes?: Agreement) => Promise<{ access: string; refresh: string }>
}

export type Agreement = { request?: Record<string, string>; scopes?: string[]; budget_cents?: number }

export async function registerProgram(
  agents: AgentBench,
  body: unknown = {},
  address = '192.0.2.1',
): Promise<AgentAnswer> {
  return agents.send('/oauth2/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback], client_name: 'Editor', ...Object(body) }),
    address,
  })
}

export async function oauthProgram(agents: AgentBench, given: { clientId?: string } = {}): Promise<OauthProgram> {
  const clientId = given.clientId ?? textOf((await registerProgram(agents)).body, 'client_id')
  const verifier = randomBytes(32).toString('base64url')
  const request = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: 'the state & more',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const agree: OauthProgram['agree'] = ({ browser, workspaceId }, changes = {}) => {
    const { request: changed, ...others } = changes
    const body = { request: { ...request, ...changed }, scopes: ['read', 'write'], ...others }
    return browser.api('POST', '/authorization', { workspace: workspaceId, body })
  }
  const codeFrom: OauthProgram['codeFrom'] = async (owner, changes) => {
    const agreed = await agree(owner, changes)
    assert.equal(agreed.status, 200, agreed.text)
    return returned(agreed).searchParams.get('code') ?? assert.fail(agreed.text)
  }
  const exchange: OauthProgram['exchange'] = (code, changes = {}) =>
    agents.token({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
      ...changes,
    })
  return {
    clientId,
    verifier,
    request,
    view: ({ browser }, changes = {}) =>
      browser.api('GET', `/authorization?${new URLSearchParams({ ...request, ...changes }).toString()}`),
    agree,
    codeFrom,
    exchange,
    refresh: (refreshToken, changes = {}) =>
      agents.token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...changes }),
    connect: async (owner, changes) => {
      const { body } = await exchange(await codeFrom(owner, changes))
      return { access: textOf(body, 'access_token'), refresh: textOf(body, 'refresh_token') }
    },
  }
}

/** Where the page sends its person. */
export function returned({ body }: Answer): URL {
  const { data } = Object(body)
  return new URL(String(data?.redirect_to ?? data?.leave_to))
}
