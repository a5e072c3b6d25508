import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import {
  type SignInDomainRecord,
  domainChallenge,
  signInDomainInputSchema,
  signInDomainSchema,
} from '#core/people/single-sign-on.ts'
import {
  type SignInDomain,
  deleteSignInDomain,
  findSignInDomain,
  insertSignInDomain,
  proveSignInDomain,
} from '#store/people/sign-in-domains.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'

const inConsole = { tag: 'Console', surface: 'console', role: 'owner', subject: 'sign_in_domain' } as const
const one = z.strictObject({ data: signInDomainSchema })
const lookUpMs = 5_000

const add = defineOperation({
  ...inConsole,
  name: 'add_sign_in_domain',
  method: 'POST',
  path: '/single-sign-on/domains',
  scope: 'write',
  summary: 'Add a domain whose people the identity provider is to sign in',
  description:
    'Publish `record` in the DNS of the domain, then prove it. A domain that was added before stays as it is.',
  body: { schema: signInDomainInputSchema, isRequired: true, schemaName: 'SignInDomainInput' },
  errors: [401, 403, 422],
  success: { status: 201, description: 'The domain, and the record that proves it.', schema: one },
  run: async ({ caller: { workspaceId }, services: { database }, now: at, noteChange }, { body: { domain } }) => {
    const made = await database.transaction(async (tx) => {
      const added = await insertSignInDomain(tx, { workspaceId, domain, at })
      noteChange({ id: added.id, name: domain })
      return added
    })
    return { status: 201, body: { data: toDomainRecord(made) } }
  },
})

const prove = defineOperation({
  ...inConsole,
  name: 'prove_sign_in_domain',
  method: 'POST',
  path: '/single-sign-on/domains/{id}/prove',
  scope: 'write',
  summary: 'Look for the record that proves a domain',
  description:
    '422 `domain_not_proved` while the record is not found, `domain_taken` where another workspace has proved the domain.',
  takesLong: true,
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The domain, which is proved now.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services, now: at, noteChange }, { target }) => {
    noteChange({ name: target.domain })
    await assertPublished(services, target)
    await services.database.transaction(async (tx) => {
      if (await proveSignInDomain(tx, { workspaceId, id: target.id, at })) return
      if ((await findSignInDomain(tx, { workspaceId, id: target.id })) === null) domainGone()
      throw fail('domain_taken', `Another workspace has proved ${target.domain}. It has to remove the domain first.`)
    })
    return { status: 200, body: { data: toDomainRecord({ ...target, provenAt: at }) } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'remove_sign_in_domain',
  method: 'DELETE',
  path: '/single-sign-on/domains/{id}',
  scope: 'write',
  summary: 'Remove a domain, whose people the identity provider signs in no more',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The domain was removed.' },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services: { database }, noteChange }, { target: { id, domain } }) => {
    noteChange({ name: domain })
    await database.transaction(async (tx) => {
      if ((await deleteSignInDomain(tx, { workspaceId, id })) === null) domainGone()
    })
    return { status: 204, body: undefined }
  },
})

export const signInDomainOperations = [add, prove, remove]

export function toDomainRecord({ id, domain, token, createdAt, provenAt }: SignInDomain): SignInDomainRecord {
  return {
    id,
    domain,
    record: domainChallenge({ domain, token }),
    proven_at: provenAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<SignInDomain> {
  const { workspaceId } = caller
  return (await findSignInDomain(services.database, { workspaceId, id })) ?? domainGone()
}

function domainGone(): never {
  throw fail('not_found', 'There is no such domain in this workspace.')
}

async function assertPublished({ carriers }: Pick<Services, 'carriers'>, target: SignInDomain): Promise<void> {
  const { type, name, value } = domainChallenge(target)
  const outcome = await carriers.net.dns({ name, type, timeoutMs: lookUpMs }, AbortSignal.timeout(lookUpMs))
  if (!outcome.ok)
    throw fail('domain_not_proved', `The TXT record of ${name} could not be looked up: ${outcome.failure.message}.`)
  const { rcode, answers } = outcome.answer
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')
    throw fail('domain_not_proved', `The TXT record of ${name} could not be looked up: the name server says ${rcode}.`)
  const found = answers.filter((record) => record.type === 'TXT').map(({ text }) => text.trim())
  if (found.includes(value)) return
  const others = found.length === 0 ? 'There is none' : 'There is another one'
  throw fail(
    'domain_not_proved',
    `The TXT record "${value}" was not found at ${name}. ${others}. DNS may need a while.`,
  )
}
