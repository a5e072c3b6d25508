import { APIError } from 'better-auth/api'
import { ProviderTrouble } from '#identity/provider-fetch.ts'

/** What a provider does wrong, as better-auth tells its own refusals. */
export async function trusting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    throw providerRefused(error.message)
  }
}

export function providerRefused(problem: string): APIError {
  return refused('PROVIDER_REFUSED', problem)
}

export function noProvider(): never {
  const message = 'There is no single sign-on for addresses of this domain. Sign in in another way.'
  throw new APIError('NOT_FOUND', { code: 'NO_SINGLE_SIGN_ON', message })
}

export function otherBrowser(): APIError {
  return refused('OTHER_SIGN_IN', 'This sign-in began in another browser, took too long or was used. Begin again.')
}

export function notAdmitted(name: string): APIError {
  return refused(
    'NOT_ADMITTED',
    `${name} does not vouch for a mail address of a domain that the workspace has proved. Ask an owner of the workspace.`,
  )
}

export function refused(code: string, message: string): APIError {
  return new APIError('UNPROCESSABLE_ENTITY', { code, message })
}
