import type { AuthorizationRecord, DeviceAuthorizationRecord } from '#operations/people/authorizations.ts'
import { api } from './console.ts'

export type { AuthorizationRecord, DeviceAuthorizationRecord }

/** What a program sent its person with, by the names of RFC 6749. */
export type AuthorizationRequest = Readonly<Record<string, string>>

/** What a person agrees to. */
export type Agreement = { scopes: string[]; budget_cents: number }

const own = api('mine')

export const readAuthorization = (request: AuthorizationRequest): Promise<AuthorizationRecord> =>
  own.get(`/authorization?${new URLSearchParams(request).toString()}`)

export const readDeviceAuthorization = (code: string): Promise<DeviceAuthorizationRecord> =>
  own.get(`/device-authorization?user_code=${encodeURIComponent(code)}`)

export const authorizeProgram = (
  workspaceId: string,
  consent: Agreement & { request: AuthorizationRequest },
): Promise<{ redirect_to: string }> => api(workspaceId).post('/authorization', consent)

export const authorizeDevice = (
  workspaceId: string,
  decision: Agreement & { user_code: string; is_let_in: boolean },
): Promise<null> => api(workspaceId).page('/device-authorization', decision)
