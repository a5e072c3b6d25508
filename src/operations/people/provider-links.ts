import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { type ProviderSubjectRecord, providerSubjectSchema, shownIssuer } from '#core/people/single-sign-on.ts'
import { type HeldSubject, deleteSubject, listSubjects } from '#store/people/provider-subjects.ts'
import { definePersonOperation } from '#operations/pipeline/define-operation.ts'

const list = definePersonOperation({
  name: 'list_provider_links',
  method: 'GET',
  path: '/provider-links',
  tag: 'Console',
  summary: 'List the providers of single sign-on by which the person signs in, in the order of linking',
  errors: [401],
  success: { status: 200, description: 'Links.', schema: z.strictObject({ data: z.array(providerSubjectSchema) }) },
  run: async ({ caller, services }) => {
    const subjects = await listSubjects(services.database, caller.person.id)
    return { status: 200, body: { data: subjects.map(toRecord) } }
  },
})

const remove = definePersonOperation({
  name: 'remove_provider_link',
  method: 'DELETE',
  path: '/provider-links/{id}',
  tag: 'Console',
  summary: 'Sign in by a provider no more',
  errors: [401, 404],
  success: { status: 204, description: 'The link was removed. Sessions stay.' },
  run: async ({ caller, services }, { path: { id = '' } }) => {
    if (!(await deleteSubject(services.database, { personId: caller.person.id, id })))
      throw fail('not_found', 'Your account has no such link.')
    return { status: 204, body: undefined }
  },
})

export const providerLinkOperations = [list, remove]

function toRecord({ id, issuer, createdAt, lastUsedAt }: HeldSubject): ProviderSubjectRecord {
  return {
    id,
    issuer: shownIssuer(issuer),
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
