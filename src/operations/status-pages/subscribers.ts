import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { signingSecretOf, webhook } from '#contacts/webhook.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type SubscriberRecord,
  statusLimits,
  subscriberSchema,
  webhookSubscriberInputSchema,
} from '#core/status-pages/status-page.ts'
import {
  type Subscriber,
  addSubscriber,
  deleteSubscriber,
  findSubscriber,
  listSubscribers,
} from '#store/status-pages/subscribers.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findTarget as findPage } from './status-pages.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'status_page' } as const
const path = '/status-pages/{id}/subscribers'
const signingKeyBytes = 32

const list = defineOperation({
  ...inConsole,
  name: 'list_status_subscribers',
  method: 'GET',
  path,
  scope: 'read',
  summary: 'List the subscribers of a status page, newest first',
  errors: [401, 404],
  success: { status: 200, description: 'Subscribers.', schema: z.strictObject({ data: z.array(subscriberSchema) }) },
  find: findPage,
  run: async ({ services }, { target }) => {
    const found = await listSubscribers(services.database, { pageId: target.id, limit: statusLimits.subscribers })
    return { status: 200, body: { data: found.map(toRecord) } }
  },
})

const create = defineOperation({
  ...inConsole,
  name: 'create_status_subscriber',
  method: 'POST',
  path,
  scope: 'write',
  summary: 'Subscribe a webhook to a status page',
  description:
    'Messages are signed as Standard Webhooks describes; `signing_secret` is shown only here, once. People ' +
    'subscribe with their addresses on the page itself.',
  body: { schema: webhookSubscriberInputSchema, isRequired: true, schemaName: 'StatusSubscriberInput' },
  errors: [401, 403, 404, 422],
  success: {
    status: 201,
    description: 'The subscriber.',
    schema: z.strictObject({ data: subscriberSchema, signing_secret: z.string() }),
  },
  find: findPage,
  run: async ({ services, now, noteChange }, { target, body: { destination } }) => {
    const problem = webhook.destinationProblem(destination, services.isForbiddenAddress)
    if (problem !== null) throw invalidFields({ destination: [problem] })
    noteChange({ details: { kind: 'webhook' } })
    const secret = signingSecretOf(randomBytes(signingKeyBytes))
    const id = randomUUID()
    const subscriber = {
      id,
      pageId: target.id,
      kind: 'webhook',
      destination,
      signingSecret: services.secrets.encrypt(secret, { column: 'status_subscribers.signing_secret', id }),
      confirmedAt: now,
      createdAt: now,
    } as const
    await services.database.transaction(async (tx) => {
      const { outcome } = await addSubscriber(tx, { ...subscriber, expiresAt: null }, statusLimits.subscribers)
      if (outcome === 'full')
        throw fail('limit_reached', `A page can have at most ${statusLimits.subscribers} subscribers.`)
      if (outcome === 'present') throw invalidFields({ destination: ['Is already a subscriber of this page.'] })
    })
    return { status: 201, body: { data: toRecord(subscriber), signing_secret: secret } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_status_subscriber',
  method: 'DELETE',
  path: '/status-subscribers/{id}',
  scope: 'write',
  summary: 'Remove a subscriber of a status page',
  errors: [401, 403, 404],
  success: { status: 204, description: 'Nothing more is sent there.' },
  find: findTarget,
  run: async ({ services }, { target }) => {
    await services.database.transaction((tx) => deleteSubscriber(tx, target.id))
    return { status: 204, body: undefined }
  },
})

export const statusSubscriberOperations = [list, create, remove]

type Target = Subscriber & { name: string }

/** `name` is for the audit log, which shows no addresses. */
async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<Target> {
  const found = await findSubscriber(services.database, { workspaceId: caller.workspaceId, id })
  if (found === null) throw fail('not_found', 'There is no such subscriber in this workspace.')
  return { ...found, name: found.kind }
}

type Shown = Pick<Subscriber, 'id' | 'kind' | 'destination' | 'confirmedAt' | 'createdAt'>

function toRecord({ id, kind, destination, confirmedAt, createdAt }: Shown): SubscriberRecord {
  return { id, kind, destination, confirmed: confirmedAt !== null, created_at: createdAt.toISOString() }
}
