import { timingSafeEqual, createHash } from 'node:crypto'
import { z } from 'zod'
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import {
  type ComparedSecrets,
  comparedSecretsSchema,
  type SecretComparison,
  secretComparisonSchema,
} from '#core/projects/secret-comparison.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { isPassword } from '#operations/status-pages/page-password.ts'
import { openAddress } from '#store/contacts/sealed-addresses.ts'
import { openOptions } from '#store/contacts/sealed-options.ts'
import { listContacts } from '#store/contacts/contacts.ts'
import { listMonitorSettings } from '#store/projects/monitor-settings.ts'
import { listStatusPages } from '#store/status-pages/status-pages.ts'

const compareSecrets = defineOperation({
  name: 'compare_secrets',
  method: 'POST',
  path: '/export/compare-secrets',
  scope: 'write',
  surface: 'programs',
  subject: 'workspace',
  changesNothing: true,
  tag: 'Account',
  summary: 'Ask which secrets differ from these',
  description:
    'Lets you compare files with secrets that the service never shows. Needs write scope, which can set each of ' +
    'them and have it sent anywhere. A secret that is not set differs, and so do all secrets of an object that ' +
    'does not exist. Each password of a page counts as a request.',
  body: {
    schema: secretComparisonSchema,
    isRequired: true,
    schemaName: 'SecretComparison',
  },
  countsAs: ({ objects }) => 1 + objects.filter(({ section }) => section === 'status_pages').length,
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'The objects of which a secret differs, each with the paths of these secrets.',
    schema: z.strictObject({ data: comparedSecretsSchema }),
  },
  run: async ({ caller: { workspaceId }, services }, { body }) => ({
    status: 200,
    body: { data: await compare(body, await readHeld(services, workspaceId, body)) },
  }),
})

export const secretComparisonOperations = [compareSecrets]

/** What objects hold, by their ids; of a page the hash of its password. */
type Held = ReadonlyMap<string, { value: unknown } | { passwordHash: string | null }>
type Objects = SecretComparison['objects']

async function readHeld({ database, secrets }: Services, workspaceId: string, { objects }: SecretComparison) {
  const held = new Map<string, { value: unknown } | { passwordHash: string | null }>()
  const ids = (section: Objects[number]['section']): string[] =>
    objects.flatMap((object) => (object.section === section ? [object.id] : []))
  for (const { id, settings } of await listMonitorSettings(database, secrets, { workspaceId, ids: ids('monitors') }))
    held.set(id, {
      value: { request_headers: settings.request_headers, check_options: settings.secret_options },
    })
  if (ids('contacts').length > 0)
    for (const contact of await listContacts(database, workspaceId)) {
      const isSecret = contactTraitsOf(contact.kind)?.isAddressSecret === true
      const { secretOptions: options } = openOptions(contact, secrets)
      held.set(contact.id, {
        value: { options, ...(isSecret ? { destination: openAddress(contact, secrets) } : {}) },
      })
    }
  if (ids('status_pages').length > 0)
    for (const { id, passwordHash } of await listStatusPages(database, workspaceId)) held.set(id, { passwordHash })
  return held
}

async function compare({ objects }: SecretComparison, held: Held): Promise<ComparedSecrets> {
  const compared: ComparedSecrets = []
  for (const { section, id, secrets } of objects) {
    const differ: string[][] = []
    for (const { path, value } of secrets) if (!(await isSame(held.get(id), path, value))) differ.push(path)
    if (differ.length > 0) compared.push({ section, id, differ })
  }
  return compared
}

async function isSame(
  held: { value: unknown } | { passwordHash: string | null } | undefined,
  path: readonly string[],
  value: unknown,
): Promise<boolean> {
  if (held === undefined) return false
  if ('value' in held) {
    const found = valueAt(held.value, path)
    return typeof found === typeof value && timingSafeEqual(digest(found), digest(value))
  }
  if (path.length !== 1 || path[0] !== 'password' || held.passwordHash === null) return false
  return isPassword(String(value), held.passwordHash)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([key]) => key === name)?.[1]
  }
  return found
}

/** Of the same length for all values. */
function digest(value: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest()
}
