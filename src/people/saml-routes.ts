import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '#core/language/error.ts'
import { samlServiceOf, signOnRedirect } from '#core/people/single-sign-on.ts'
import { isUuid } from '#core/language/uuid.ts'
import { serviceMetadata } from '#identity/saml/saml.ts'
import { addressGroupHeader, addressHeader, authPath } from './people-parts.ts'
import type { PeopleEnv, PeopleRoutesOptions } from './routes.ts'

/** The longest response, of which some characters take three in a form. */
const maxFormBytes = 512 * 1024
const metadataSeconds = 3600

/** Each workspace is an entity of SAML: this is what providers read of it, and where they have browsers post. */
export function addSamlRoutes(routes: Hono<PeopleEnv>, options: PeopleRoutesOptions): void {
  const { publicUrl, admission } = options
  routes.get('/saml/:workspace_id/metadata', async (context) => {
    const id = workspaceOf(context)
    if (id === null) return context.notFound()
    const caller = context.get('addressGroup')
    const service = samlServiceOf(publicUrl, id)
    const xml = await admission.within({ surface: 'pages', caller }, () => serviceMetadata(service))
    const headers = {
      'Content-Type': 'application/samlmetadata+xml',
      'Cache-Control': `public, max-age=${metadataSeconds}`,
    }
    return context.body(xml, 200, headers)
  })
  const limit = bodyLimit({ maxSize: maxFormBytes, onError: (context) => context.text('The form is too large.', 413) })
  routes.post('/saml/:workspace_id/acs', limit, async (context) => {
    const workspaceId = workspaceOf(context)
    if (workspaceId === null) return context.notFound()
    const form = new URLSearchParams(await context.req.text())
    const state = form.get('RelayState') ?? ''
    const body = { workspaceId, state, response: form.get('SAMLResponse') ?? '' }
    try {
      const caller = context.get('addressGroup')
      const answer = await admission.within({ surface: 'long', caller }, () => ask(options, context, body))
      if (answer.status === 429) return refusal(context, answer.status, answer.headers.get('retry-after'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return refusal(context, error.status, String(error.retryAfterSeconds ?? 1))
    }
    // The page fetches what became of it, with the cookie of the browser that left: this request came without any.
    return context.redirect(
      `${signOnRedirect(publicUrl, workspaceId)}?${new URLSearchParams({ state }).toString()}`,
      303,
    )
  })
}

function workspaceOf({ req }: Context<PeopleEnv, '/saml/:workspace_id/metadata'>): string | null {
  const id = req.param('workspace_id')
  return isUuid(id) ? id.toLowerCase() : null
}

/** As a page of ours would ask, but without cookies: another site may have sent this form. */
async function ask(
  { publicUrl, open }: PeopleRoutesOptions,
  { var: from }: Context<PeopleEnv>,
  body: Record<string, string>,
): Promise<Response> {
  const handle = await open()
  const headers = {
    'Content-Type': 'application/json',
    [addressHeader]: from.address,
    [addressGroupHeader]: from.addressGroup,
  }
  const url = new URL(`${authPath}/provider/response`, publicUrl)
  return handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

function refusal(context: Context<PeopleEnv>, status: number, retryAfter: string | null): Response {
  return context.newResponse('Too many people sign in right now. Go back and try again in a moment.', {
    status: status === 429 ? 429 : 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': retryAfter ?? '1' },
  })
}
