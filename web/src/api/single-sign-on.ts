import type {
  IdentityProviderInput as ProviderInput,
  IdentityProviderRecord,
  ProviderSubjectRecord,
  SignInDomainRecord,
  SingleSignOnRecord,
} from '#core/people/single-sign-on.ts'
import { auth } from './auth.ts'
import { api } from './console.ts'

export type { IdentityProviderRecord, ProviderInput, ProviderSubjectRecord, SignInDomainRecord, SingleSignOnRecord }

/** Where the person was before leaving for the provider, and whether an account was linked. */
export type Arrived = { returnTo: string; isLinked: boolean }

/** Leaves for the provider of an address. */
export async function startSignOn(email: string, returnTo: string): Promise<void> {
  leaveFor(await auth<{ url: string }>('POST', '/provider/start', { email, returnTo }))
}

/** The same for a person who is signed in and goes on as the same one, by the provider as well from then on. */
export async function linkSignOn(returnTo: string): Promise<void> {
  leaveFor(await auth<{ url: string }>('POST', '/provider/link', { returnTo }))
}

/** `answer` is the query with which the provider sent the browser back. */
export const finishSignOn = (workspaceId: string, answer: string): Promise<Arrived> =>
  auth('POST', '/provider/finish', { workspaceId, answer })

const own = api('mine')

export const listProviderLinks = (): Promise<ProviderSubjectRecord[]> => own.list('/provider-links')
export const removeProviderLink = (id: string): Promise<void> => own.remove(`/provider-links/${id}`)

/** Requests of an owner in one workspace. */
export type SignOnApi = {
  read: () => Promise<SingleSignOnRecord>
  setProvider: (input: ProviderInput) => Promise<IdentityProviderRecord>
  deleteProvider: () => Promise<void>
  /** `problem` is a sentence; null where the provider can be used. */
  tryProvider: () => Promise<{ problem: string | null }>
  addDomain: (domain: string) => Promise<SignInDomainRecord>
  proveDomain: (id: string) => Promise<SignInDomainRecord>
  removeDomain: (id: string) => Promise<void>
}

export function signOnApi(workspaceId: string): SignOnApi {
  const { get, post, put, remove } = api(workspaceId)
  const root = '/single-sign-on'
  return {
    read: () => get(root),
    setProvider: (input) => put(`${root}/provider`, input),
    deleteProvider: () => remove(`${root}/provider`),
    tryProvider: () => post(`${root}/provider/try`, undefined),
    addDomain: (domain) => post(`${root}/domains`, { domain }),
    proveDomain: (id) => post(`${root}/domains/${id}/prove`, undefined),
    removeDomain: (id) => remove(`${root}/domains/${id}`),
  }
}

function leaveFor({ url }: { url: string }): void {
  location.assign(url)
}
