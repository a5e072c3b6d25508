import { agentScopes, type AgentIssuer, type AgentType } from '#core/people/agent.ts'
import { attemptState, claimRules, isSameEmail, readUserCode } from '#core/people/claim.ts'
import type { Person } from '#core/people/person.ts'
import {
  type ClaimAttempt,
  countWrongCode,
  findAttempt,
  linkIdentity,
  markClaimed,
} from '#store/people/agent-claims.ts'
import {
  type Registration,
  countClaimed,
  findRegistration,
  lockRegistration,
  raiseGeneration,
} from '#store/people/agent-registrations.ts'
import { revokeAgentTokens } from '#store/people/agent-tokens.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type Secrets, hashToken } from '#store/database/secrets.ts'
import { type WorkspaceContents, lockForMove, moveWorkspace, readContents } from '#store/people/workspace-moves.ts'
import { isUserCode } from './claim-code.ts'

export type ClaimParts = { database: Database; secrets: Secrets; agentIssuers: readonly AgentIssuer[] }

/** Where a link to the claim page stands. `expired` is also one that another has taken the place of. */
export type ClaimState = 'open' | 'expired' | 'locked' | 'done' | 'wrong_person'

/** What a person is told before they type the code. */
export type ClaimAsks = {
  agentName: string
  type: AgentType
  /** As the trust list calls it, never as it calls itself; null where no provider vouches for the agent. */
  providerName: string | null
  email: string
  scopes: readonly string[]
  /** What a person should know who did not start this claim. */
  advisories: ('first_agent' | 'first_of_provider' | 'nobody_vouches' | 'moves_workspace')[]
  /** What moves into the person's workspace; null where there is none. */
  workspace: WorkspaceContents | null
  requestedAt: Date
  expiresAt: Date
  triesLeft: number
}

/** Asks are told only to the person whose link it is, while it is open. */
export type ClaimView = { state: ClaimState; asks: ClaimAsks | null }

export type ClaimLink = { attemptToken: string; person: Person; now: Date }

export async function readClaimAttempt(
  parts: ClaimParts,
  { attemptToken, person, now }: ClaimLink,
): Promise<ClaimView> {
  const attempt = await findAttempt(parts.database, { tokenHash: hashToken(attemptToken) })
  const registration = attempt === null ? null : await findRegistration(parts.database, { id: attempt.registrationId })
  if (attempt === null || registration === null) return { state: 'expired', asks: null }
  const state = stateOf({ attempt, registration, person, now })
  return { state, asks: state === 'open' ? await asksOf(parts, { attempt, registration, person }) : null }
}

export type ClaimedAgent = { id: string; name: string; type: AgentType }

export type ClaimOutcome =
  | { type: 'claimed'; agent: ClaimedAgent }
  | { type: 'wrong_code'; triesLeft: number }
  | { type: Exclude<ClaimState, 'open'> }

export type ClaimCompletion = ClaimLink & {
  /** As it was typed. */
  userCode: string
  /** Where the agent is to act from now on; that the person may decide so is the caller's affair. */
  workspaceId: string
  /** Called within the transaction when nothing is changed but the count of wrong codes. */
  onRefused: () => void
  /** Called within the transaction that gives the agent away. */
  onClaimed: (agent: ClaimedAgent) => void
}

/**
 * Gives an agent to a workspace for its person's code. One transaction: of two at once one completes, a wrong code is
 * counted however the request ends, and an anonymous workspace is either moved whole or not at all.
 */
export function completeClaim(
  { database, secrets }: Pick<ClaimParts, 'database' | 'secrets'>,
  completion: ClaimCompletion,
): Promise<ClaimOutcome> {
  return database.transaction(async (tx) => {
    const outcome = await complete(tx, secrets, completion)
    if (outcome.type === 'claimed') completion.onClaimed(outcome.agent)
    else completion.onRefused()
    return outcome
  })
}

async function complete(tx: Transaction, secrets: Secrets, completion: ClaimCompletion): Promise<ClaimOutcome> {
  const { attemptToken, userCode, person, workspaceId, now } = completion
  const tokenHash = hashToken(attemptToken)
  const found = await findAttempt(tx, { tokenHash })
  const asked = found === null ? null : await findRegistration(tx, { id: found.registrationId })
  if (asked === null) return { type: 'expired' }
  // Workspaces are locked before everything in them.
  const fromId = asked.workspaceId
  const isMove = fromId !== null && asked.claimedAt === null
  const isHeld = !isMove || (await lockForMove(tx, { fromId, toId: workspaceId, at: now }))
  const registration = await lockRegistration(tx, { id: asked.id })
  const attempt = await findAttempt(tx, { tokenHash })
  if (registration === null || attempt === null) return { type: 'expired' }
  const state = stateOf({ attempt, registration, person, now })
  if (state !== 'open') return { type: state }
  if (!isHeld) return { type: 'expired' }
  const code = readUserCode(userCode)
  if (code === null || !isUserCode(secrets, { attemptId: attempt.id, code }, attempt.codeHash))
    return { type: 'wrong_code', triesLeft: claimRules.maxWrongCodes - (await countWrongCode(tx, registration.id)) }
  await give(tx, registration, { personId: person.id, workspaceId, at: now })
  if (isMove) await moveWorkspace(tx, { fromId, toId: workspaceId, at: now })
  const { id, name, type } = registration
  return { type: 'claimed', agent: { id, name, type } }
}

/** Its tokens and assertions end: from now on it acts for a person (docs/decisions/agents-and-claims.md). */
async function give(
  tx: Transaction,
  { id: registrationId, identity }: Registration,
  to: { personId: string; workspaceId: string; at: Date },
): Promise<void> {
  if (!(await markClaimed(tx, { registrationId, ...to }))) throw new Error('A claim under lock was taken by another.')
  await raiseGeneration(tx, registrationId)
  await revokeAgentTokens(tx, registrationId)
  if (identity !== null) await linkIdentity(tx, { registrationId, ...identity })
}

type Seen = { attempt: ClaimAttempt; registration: Registration; person: Person; now: Date }

/** Only who signed in with the bound address, and has verified it, learns more than that there is such a link. */
function stateOf({ attempt, registration, person, now }: Seen): ClaimState {
  if (!person.isEmailVerified || !isSameEmail(person.email, attempt.email)) return 'wrong_person'
  if (registration.claimedAt !== null) return 'done'
  if (registration.claimExpiresAt <= now) return 'expired'
  return attemptState(attempt, now)
}

async function asksOf(
  { database, agentIssuers }: ClaimParts,
  { attempt, registration, person }: Omit<Seen, 'now'>,
): Promise<ClaimAsks> {
  const { name, type, identity, workspaceId } = registration
  const issuer = identity?.issuer ?? null
  const [claimed, workspace] = await Promise.all([
    countClaimed(database, { personId: person.id, issuer }),
    workspaceId === null ? null : readContents(database, workspaceId),
  ])
  return {
    agentName: name,
    type,
    providerName: agentIssuers.find((known) => known.issuer === issuer)?.name ?? null,
    email: attempt.email,
    scopes: agentScopes,
    advisories: [
      ...(claimed.all === 0 ? (['first_agent'] as const) : []),
      ...(issuer !== null && claimed.ofIssuer === 0 ? (['first_of_provider'] as const) : []),
      ...(issuer === null ? (['nobody_vouches'] as const) : []),
      ...(workspace === null ? [] : (['moves_workspace'] as const)),
    ],
    workspace,
    requestedAt: attempt.createdAt,
    expiresAt: attempt.expiresAt,
    triesLeft: claimRules.maxWrongCodes - attempt.wrongCodes,
  }
}
