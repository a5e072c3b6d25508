import { randomBytes } from 'node:crypto'
import { type AppError, fail } from '#core/language/error.ts'
import { isEarlyPoll, slowedDown } from '#core/people/claim.ts'
import {
  type Audience,
  type OauthClient,
  type Scope,
  createTypedCode,
  oauthRules,
  readScopes,
  readTypedCode,
} from '#core/people/oauth.ts'
import type { Person } from '#core/people/person.ts'
import { createTokenText } from '#core/people/token-format.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type Secrets, hashToken } from '#store/database/secrets.ts'
import { lockRegistration } from '#store/people/agent-registrations.ts'
import {
  type DeviceCode,
  changeDeviceCode,
  findDeviceCode,
  insertDeviceCode,
  lockDeviceCode,
} from '#store/people/oauth-device.ts'
import type { AgentCall } from './agent-registration.ts'
import { findClient, isKnownClient } from './oauth-clients.ts'
import { audienceOf, connect } from './oauth-consent.ts'
import { type OauthGrant, grantFirst } from './oauth-tokens.ts'

export type DeviceServices = Pick<Services, 'database' | 'secrets' | 'carriers' | 'publicUrl' | 'takesClientDocuments'>

/** What a program without a browser shows its person, and asks with. */
export type StartedDevice = { deviceCode: string; userCode: string }

/** Codes that are in use are drawn again; that happens once in millions of times. */
const maxDraws = 5

/** A program without a browser asks for a code (RFC 8628 3.1). Throws `invalid_client`, `invalid_scope`, `invalid_target`. */
export async function startDevice(
  services: DeviceServices & { limits: Pick<Limits, 'countRegistration'> },
  asked: { clientId: string; scope: string | undefined; resource: string | undefined },
  { now, address }: AgentCall,
): Promise<StartedDevice> {
  const { isExceeded, resetSeconds } = await services.limits.countRegistration(address)
  if (isExceeded)
    throw fail('rate_limited', `Too many programs ask from this address. Try again in ${resetSeconds} s.`, {
      retryAfterSeconds: resetSeconds,
    })
  const { clientId } = asked
  if (!(await isKnownClient(services, clientId)))
    throw fail('invalid_client', 'There is no such client. Register first.')
  const scopes = readScopes(asked.scope)
  if (scopes === null) throw fail('invalid_scope', 'The scopes are read and write.')
  const audience = audienceOf(asked.resource, services.publicUrl)
  if (audience === undefined) throw fail('invalid_target', 'The resource is none of this service.')
  const deviceCode = createTokenText(randomBytes, 'pgd_')
  const expiresAt = new Date(now.getTime() + oauthRules.deviceCodeMs)
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const userCode = createTypedCode(randomBytes)
    const userCodeHash = sealed(services.secrets, userCode)
    const code = { hash: hashToken(deviceCode), userCodeHash, clientId, scopes, audience, expiresAt }
    if (await insertDeviceCode(services.database, code)) return { deviceCode, userCode }
  }
  throw new Error(`${maxDraws} codes in a row were in use.`)
}

/** `asks` is null unless the code is open. */
export type DeviceView = {
  state: 'open' | 'expired' | 'done'
  asks: { client: OauthClient; scopes: readonly Scope[]; audience: Audience } | null
  problem: string | null
}

export async function readDevice(
  services: DeviceServices,
  { typed, now }: { typed: string; now: Date },
): Promise<DeviceView> {
  const code = await findTyped(services, typed)
  const state = stateOf(code, now)
  if (code === null || state !== 'open') return { state, asks: null, problem: null }
  const found = await findClient(services, { clientId: code.clientId, redirectUri: null })
  if ('problem' in found) return { state, asks: null, problem: found.problem }
  return { state, asks: { client: found.client, scopes: code.scopes, audience: code.audience }, problem: null }
}

export type DeviceDecision = {
  typed: string
  /** Null refuses the program. */
  agreed: { scopes: readonly Scope[]; budgetCents: number } | null
  person: Person
  workspaceId: string
  now: Date
  /** Called within the transaction; `null` where nothing is let in. */
  onDecided: (agent: { id: string; name: string } | null) => void
}

/** Lets the program in, or refuses it. False where the code is not open any more. */
export async function decideDevice(services: DeviceServices, decision: DeviceDecision): Promise<boolean> {
  const { typed, agreed, now, onDecided, ...by } = decision
  const code = await findTyped(services, typed)
  const found = code === null ? null : await findClient(services, { clientId: code.clientId, redirectUri: null })
  if (found !== null && 'problem' in found && agreed !== null) throw fail('bad_request', found.problem)
  return services.database.transaction(async (tx) => {
    const held = code === null ? null : await lockDeviceCode(tx, { hash: code.hash })
    if (held === null || stateOf(held, now) !== 'open') {
      onDecided(null)
      return false
    }
    const { hash, scopes: askedScopes, expiresAt } = held
    if (agreed === null || found === null || 'problem' in found) {
      await changeDeviceCode(tx, { hash, change: { deniedAt: now } })
      onDecided(null)
      return true
    }
    const agent = await connect(tx, {
      ...agreed,
      ...by,
      client: found.client,
      askedScopes,
      redirectHost: null,
      expiresAt,
      now,
    })
    await changeDeviceCode(tx, { hash, change: { registrationId: agent.id } })
    onDecided(agent)
    return true
  })
}

type Outcome = { grant: OauthGrant } | { refusal: AppError }

/**
 * The program asks whether its person has decided (RFC 8628 3.5). A refusal is thrown after commit, because what the
 * question changed is kept.
 */
export async function pollDevice(
  { database }: { database: Database },
  { deviceCode, clientId }: { deviceCode: string; clientId: string },
  now: Date,
): Promise<OauthGrant> {
  const outcome = await database.transaction(async (tx): Promise<Outcome> => {
    const code = await lockDeviceCode(tx, { hash: hashToken(deviceCode) })
    if (code === null || code.clientId !== clientId || code.spentAt !== null)
      return {
        refusal: fail('invalid_grant', 'The device_code is unknown, was used, or was given to another client_id.'),
      }
    if (code.deniedAt !== null) return { refusal: fail('access_denied', 'The person did not let the program in.') }
    if (code.registrationId !== null) return grantDevice(tx, { code, registrationId: code.registrationId, now })
    if (code.expiresAt <= now) return { refusal: fail('expired_token', 'The code has expired. Ask for another one.') }
    return { refusal: await noteQuestion(tx, code, now) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.grant
}

async function grantDevice(
  tx: Transaction,
  { code, registrationId, now }: { code: DeviceCode; registrationId: string; now: Date },
): Promise<Outcome> {
  const registration = await lockRegistration(tx, { id: registrationId })
  if (registration === null) throw new Error('A registration is gone and its code is not.')
  await changeDeviceCode(tx, { hash: code.hash, change: { spentAt: now } })
  return { grant: await grantFirst(tx, { registration, audience: code.audience, now }) }
}

async function noteQuestion(
  tx: Transaction,
  { hash, polledAt, pollSeconds }: DeviceCode,
  now: Date,
): Promise<AppError> {
  const isEarly = isEarlyPoll({ polledAt, pollSeconds }, now)
  const seconds = isEarly ? slowedDown(pollSeconds) : pollSeconds
  await changeDeviceCode(tx, { hash, change: { polledAt: now, pollSeconds: seconds } })
  if (isEarly) return fail('slow_down', `Wait at least ${seconds} seconds between requests.`)
  return fail('authorization_pending', 'The person has not decided yet. Ask again.')
}

function stateOf(code: DeviceCode | null, now: Date): DeviceView['state'] {
  if (code === null) return 'expired'
  if (code.registrationId !== null || code.deniedAt !== null) return 'done'
  return code.expiresAt <= now ? 'expired' : 'open'
}

async function findTyped({ database, secrets }: DeviceServices, typed: string): Promise<DeviceCode | null> {
  const code = readTypedCode(typed)
  return code === null ? null : findDeviceCode(database, { userCodeHash: sealed(secrets, code) })
}

/** Keyed, because so few codes are found from plain hashes. */
function sealed(secrets: Pick<Secrets, 'sign'>, code: string): Buffer {
  return Buffer.from(secrets.sign('oauth device code', code), 'base64url')
}
