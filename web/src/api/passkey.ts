import { t } from '@lingui/core/macro'
import { auth } from './auth.ts'
import { ApiError } from './ask.ts'

export type Passkey = { id: string; name: string | null; createdAt: string | null }

type Creation = PublicKeyCredentialCreationOptionsJSON
type Request = PublicKeyCredentialRequestOptionsJSON

/** Passkeys belong to a domain: at an address of digits browsers make none (WebAuthn 5.1.2). */
export function arePasskeysPossible(): boolean {
  const isDomain = !/^[\d.]+$|^\[/.test(location.hostname)
  return isDomain && typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

export const listPasskeys = (): Promise<Passkey[]> => auth('GET', '/passkey/list-user-passkeys')
export const deletePasskey = (id: string): Promise<unknown> => auth('POST', '/passkey/delete-passkey', { id })

export async function addPasskey(name: string): Promise<unknown> {
  const options = await auth<Creation>('GET', `/passkey/generate-register-options?name=${encodeURIComponent(name)}`)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const response = await ceremony(navigator.credentials.create({ publicKey }))
  return auth('POST', '/passkey/verify-registration', { response, name })
}

export async function signInWithPasskey(): Promise<unknown> {
  const options = await auth<Request>('GET', '/passkey/generate-authenticate-options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = await ceremony(navigator.credentials.get({ publicKey }))
  return auth('POST', '/passkey/verify-authentication', { response })
}

async function ceremony(asked: Promise<Credential | null>): Promise<unknown> {
  const credential = await asked.catch((error: unknown) => {
    throw new ApiError({ status: 0, code: 'passkey_failed', message: reasonOf(error) })
  })
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new ApiError({ status: 0, code: 'passkey_failed', message: t`The browser did not provide a passkey.` })
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return t`This device already has a passkey for your account.`
  if (name === 'NotAllowedError') return t`The request was cancelled or took too long. Try again.`
  return t`The browser could not do this. Try again.`
}
