// An agent that talks to the service, and the people who confirm it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assertionGrant, assertionType, claimGrant } from '#core/people/agent.ts'
import type { Person } from '#core/people/person.ts'
import { createNet } from '#net/create-net.ts'
import { type ClaimOutcome, completeClaim } from '#operations/people/claims.ts'
import { type TestApi, type TestApiOptions, testApi } from './api.ts'
import type { TestIssuer } from './issuer.ts'

export const publicUrl = 'http://perigee.test'

export type AgentAnswer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

export type AgentBench = {
  api: TestApi
  /** Moves the service's clock. */
  wait: (seconds: number) => void
  now: () => Date
  send: (path: string, request: RequestInit & { address?: string }) => Promise<AgentAnswer>
  identity: (body: unknown, address?: string) => Promise<AgentAnswer>
  vouched: (assertion: string) => Promise<AgentAnswer>
  claim: (body: unknown) => Promise<AgentAnswer>
  token: (parameters: Record<string, string> | [string, string][]) => Promise<AgentAnswer>
  poll: (claimToken: string) => Promise<AgentAnswer>
  exchange: (assertion: string) => Promise<AgentAnswer>
  revoke: (token: string) => Promise<AgentAnswer>
  /** The status that GET /account answers to this token. */
  account: (token: string) => Promise<number>
  /** Types a code on the claim page; into the owner's workspace, if into no other. */
  complete: (block: unknown, changes?: Partial<Completion>) => Promise<ClaimOutcome>
}

export type Completion = { userCode: string; person: Person; workspaceId: string }

export const alice: Person = { id: randomUUID(), email: 'alice@example.com', name: 'Alice', isEmailVerified: true }

const start = Date.parse('2026-05-04T10:00:00Z')

export async function agentBench(options: TestApiOptions & { issuers?: TestIssuer[] } = {}): Promise<AgentBench> {
  const clock = { now: start }
  const now = (): Date => new Date(clock.now)
  const { issuers = [], ...others } = options
  const api = await testApi({
    now,
    ...others,
    services: {
      agentIssuers: issuers.map(({ issuer, jwksUri, name }) => ({ issuer, jwksUri, name })),
      carriers: { net: createNet({ allowPrivate: 'all' }), sendMail: () => assert.fail('no mail is sent here') },
      publicUrl,
      ...options.services,
    },
  })
  return agentsAt(api, clock)
}

/** Agents that talk to a service whose clock stands somewhere else, or is the real one. */
export function agentsAt(api: TestApi, clock: { now: number } | null): AgentBench {
  const now = (): Date => new Date(clock?.now ?? Date.now())
  const send: AgentBench['send'] = async (path, { address = '192.0.2.1', ...request }) => {
    const response = await api.app.request(`${publicUrl}${path}`, request, { address })
    const text = await response.text()
    if (response.status === 500) throw api.errors[0]
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) }
  }
  const json = (path: string, body: unknown, address?: string): Promise<AgentAnswer> =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ...(address === undefined ? {} : { address }),
    })
  const form = (path: string, parameters: Record<string, string> | [string, string][]): Promise<AgentAnswer> =>
    send(path, { method: 'POST', body: new URLSearchParams(parameters) })
  const token: AgentBench['token'] = (parameters) => form('/oauth2/token', parameters)
  return {
    api,
    wait: (seconds) => {
      if (clock === null) assert.fail('the real clock waits for nobody')
      clock.now += seconds * 1000
    },
    now,
    send,
    identity: (body, address) => json('/agent/identity', body, address),
    vouched: (assertion) =>
      json('/agent/identity', { type: 'identity_assertion', assertion_type: assertionType, assertion }),
    claim: (body) => json('/agent/identity/claim', body),
    token,
    poll: (claimToken) => token({ grant_type: claimGrant, claim_token: claimToken }),
    exchange: (assertion) => token({ grant_type: assertionGrant, assertion }),
    revoke: (text) => form('/oauth2/revoke', { token: text }),
    account: async (text) => (await api.get('/account', { token: text })).status,
    complete: (block, changes = {}) => {
      const { userCode, attemptToken } = readBlock(block)
      return completeClaim(api.services, {
        attemptToken,
        userCode,
        person: alice,
        workspaceId: api.workspaceId,
        now: now(),
        onRefused: () => {},
        onClaimed: () => {},
        ...changes,
      })
    },
  }
}

/** A member of an answer that is text. */
export function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  assert.ok(typeof value === 'string', `${name} is ${JSON.stringify(value)}`)
  return value
}

/** The code of a claim block, and the token in its link. */
export function readBlock(block: unknown): { userCode: string; attemptToken: string } {
  assert.ok(typeof block === 'object' && block !== null && 'user_code' in block && 'verification_uri' in block)
  const attemptToken = new URL(String(block.verification_uri)).searchParams.get('claim_attempt_token') ?? assert.fail()
  return { userCode: String(block.user_code), attemptToken }
}

function bodyOf(text: string): Record<string, unknown> {
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  assert.ok(typeof parsed === 'object' && parsed !== null)
  return { ...parsed }
}
