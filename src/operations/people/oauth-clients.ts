import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import {
  type OauthClient,
  deviceGrant,
  isDocumentId,
  isRedirectUri,
  isRegisteredRedirect,
  oauthRules,
  refreshGrant,
  shownName,
} from '#core/people/oauth.ts'
import { isUuid } from '#core/language/uuid.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findOauthClient, insertOauthClient } from '#store/people/oauth-clients.ts'
import type { AgentCall } from './agent-registration.ts'

type ClientServices = Pick<Services, 'database'> & { limits: Pick<Limits, 'countOauthClient'> }

const redirectUris = z.array(z.string()).min(1).max(oauthRules.maxRedirects)
const clientName = z.string().max(1000).optional()
/** Members that we have no use for are left alone (RFC 7591 2). */
const metadataSchema = z.object({ redirect_uris: redirectUris, client_name: clientName })
/** A program without a browser is sent nowhere, and says so by the grants that it will use. */
const deviceMetadataSchema = z.object({
  redirect_uris: z.array(z.string()).max(0).default([]),
  client_name: clientName,
  grant_types: z.array(z.enum([deviceGrant, refreshGrant])).min(1),
})

/** A program makes itself known, to ask people for access (RFC 7591 3). Throws `invalid_client_metadata` and the like. */
export async function registerOauthClient(
  { database, limits }: ClientServices,
  body: unknown,
  { now, address }: AgentCall,
): Promise<OauthClient> {
  const device = deviceMetadataSchema.safeParse(body)
  const parsed = device.success ? device : metadataSchema.safeParse(body)
  if (!parsed.success) throw problemOf(parsed.error)
  const { redirect_uris: uris, client_name: name = '' } = parsed.data
  const bad = uris.find((uri) => !isRedirectUri(uri))
  if (bad !== undefined)
    throw fail('invalid_redirect_uri', `redirect_uris has ${JSON.stringify(bad.slice(0, 200))}. ${rule}`)
  const { isExceeded, limit, resetSeconds } = await limits.countOauthClient(address)
  if (isExceeded)
    throw fail('rate_limited', `More than ${limit} programs were registered from this address within a day.`, {
      retryAfterSeconds: resetSeconds,
    })
  const client = { id: randomUUID(), name: shownName(name), redirectUris: uris }
  await insertOauthClient(database, { ...client, createdAt: now })
  return client
}

const rule = 'An address has to be https, or http on 127.0.0.1, [::1] or localhost, without a fragment.'

function problemOf({ issues }: z.ZodError): Error {
  const [member] = issues[0]?.path ?? []
  if (member === 'redirect_uris')
    return fail('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${oauthRules.maxRedirects} addresses.`)
  if (member === 'client_name')
    return fail('invalid_client_metadata', 'client_name must be a text of at most 1,000 letters.')
  return fail('invalid_client_metadata', 'Send a JSON object with redirect_uris.')
}

/** The program, or why it cannot be answered: a sentence for the person whom it sent. */
export type FoundClient = { client: OauthClient } | { problem: string }

type FindServices = Pick<Services, 'database' | 'carriers' | 'takesClientDocuments'>

/** Looks a client up, at its own address where its id is one. With `redirectUri`, it has to have registered that. */
export async function findClient(
  services: FindServices,
  { clientId, redirectUri }: { clientId: string; redirectUri: string | null },
): Promise<FoundClient> {
  const found =
    isDocumentId(clientId) && services.takesClientDocuments
      ? await fetchClient(services, clientId)
      : await findRegistered(services, clientId)
  if ('problem' in found) return found
  if (redirectUri === null || isRegisteredRedirect(found.client, redirectUri)) return found
  return { problem: 'The program sent you here with a return address that it has not registered.' }
}

/** Whether there may be such a client. A document is not fetched for those who only name it. */
export async function isKnownClient(services: FindServices, clientId: string): Promise<boolean> {
  if (isDocumentId(clientId) && services.takesClientDocuments) return true
  return 'client' in (await findRegistered(services, clientId))
}

async function findRegistered({ database }: Pick<Services, 'database'>, id: string): Promise<FoundClient> {
  const client = isUuid(id.toLowerCase()) ? await findOauthClient(database, id.toLowerCase()) : null
  if (client !== null) return { client }
  return { problem: 'The program that sent you here is not registered, or no longer. Connect again from the program.' }
}

const documentTimeoutMs = 5_000
const maxDocumentBytes = 5 * 1024
const documentSchema = z.object({ client_id: z.string(), redirect_uris: redirectUris, client_name: clientName })

/** A redirect could lead to the document of another client, so none is followed. */
async function fetchClient({ carriers: { net } }: Pick<Services, 'carriers'>, id: string): Promise<FoundClient> {
  const url = new URL(id)
  const asked = {
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    body: null,
    maxRedirects: 0,
    headersOnly: false,
    maxBodyBytes: maxDocumentBytes,
    maxWireBytes: maxDocumentBytes,
    timeoutMs: documentTimeoutMs,
  }
  const outcome = await net.http(asked, AbortSignal.timeout(documentTimeoutMs))
  if (!outcome.ok) return { problem: `The description of the program could not be fetched from ${url.host}.` }
  const { status, isTruncated, body } = outcome.answer
  if (status !== 200)
    return { problem: `${url.host} answered ${status} where the description of the program should be.` }
  if (isTruncated) return { problem: `The description of the program at ${url.host} is larger than 5 KB.` }
  const described = readDocument(body)
  if (described === null || described.client_id !== id || !described.redirect_uris.every(isRedirectUri))
    return { problem: `What ${url.host} answered is no description of this program.` }
  return {
    client: { id, name: shownName(described.client_name ?? ''), redirectUris: described.redirect_uris },
  }
}

function readDocument(body: Uint8Array): z.infer<typeof documentSchema> | null {
  try {
    return documentSchema.safeParse(JSON.parse(new TextDecoder().decode(body))).data ?? null
  } catch {
    return null
  }
}
