// A workspace with a provider and a proved domain, and browsers that go there and come back.
import assert from 'node:assert/strict'
import { z } from 'zod'
import { insertSignInDomain, proveSignInDomain } from '#store/people/sign-in-domains.ts'
import type { Answer } from './api.ts'
import { type Browser, type PeopleApi, origin } from './people.ts'
import type { SamlForm } from './saml-provider.ts'

export type Owner = { browser: Browser; personId: string; workspaceId: string }

const sent = z.object({ url: z.url() })

/** The address at the provider. */
export function urlOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.text)
  return sent.parse(answer.body).url
}

/** Proves a domain without DNS, which single-sign-on.test.ts of the operations asks. */
export async function proveDomain({ api }: PeopleApi, workspaceId: string, domain: string): Promise<void> {
  const at = new Date()
  const isProved = await api.database.transaction(async (tx) => {
    const { id } = await insertSignInDomain(tx, { workspaceId, domain, at })
    return proveSignInDomain(tx, { workspaceId, id, at })
  })
  assert.ok(isProved)
}

export async function setProvider(
  { browser, workspaceId: workspace }: Owner,
  body: Record<string, unknown>,
): Promise<void> {
  const answer = await browser.api('PUT', '/single-sign-on/provider', { workspace, body })
  assert.equal(answer.status, 200, answer.text)
}

/** Comes back with what the provider said. */
export function arrive(browser: Browser, workspaceId: string, answer: URLSearchParams): Promise<Answer> {
  return browser.auth('POST', '/provider/finish', { workspaceId, answer: answer.toString() })
}

/** Posts what a provider of SAML gave a browser, as a page of that provider does; gives the query of the page that follows. */
export async function post({ api }: PeopleApi, workspaceId: string, form: SamlForm): Promise<URLSearchParams> {
  const response = await api.app.request(
    `/saml/${workspaceId}/acs`,
    { method: 'POST', body: new URLSearchParams(form), headers: { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' } },
    { address: '192.0.2.10' },
  )
  assert.equal(response.status, 303, await response.text())
  const { origin: at, pathname, searchParams } = new URL(response.headers.get('location') ?? '')
  assert.deepEqual([at, pathname], [origin, `/sign-in/provider/${workspaceId}`])
  return searchParams
}
