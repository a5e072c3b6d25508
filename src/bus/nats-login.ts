import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { BusStartError, type NatsLogin } from './nats-options.ts'

/** Undefined where the broker asks for nothing. Files are read anew at each connection, so that they can be changed. */
export function authenticatorOf(login: NatsLogin): Authenticator | undefined {
  switch (login.type) {
    case 'none':
      return undefined
    case 'password':
      return usernamePasswordAuthenticator(login.user, login.password)
    case 'token':
      return tokenAuthenticator(login.token)
    case 'file':
      return fileAuthenticator(login.path)
  }
}

function fileAuthenticator(path: string): Authenticator {
  const authenticator = authenticatorOfFile(path)
  try {
    authenticator('any nonce')
  } catch (cause) {
    throw new BusStartError(`The NATS credentials ${path} are damaged.`, { cause })
  }
  return (nonce) => {
    try {
      return authenticator(nonce)
    } catch {
      // The client would give up for ever. Without credentials the broker refuses, and the file is read again.
      return undefined
    }
  }
}

function authenticatorOfFile(path: string): Authenticator {
  const text = readLogin(path)
  // The client looks for whole lines, the last one too.
  if (text.includes('BEGIN NATS USER JWT')) return credsAuthenticator(() => bytesOf(`${readLogin(path)}\n`))
  if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(() => bytesOf(readLogin(path)))
  throw new BusStartError(`The NATS credentials ${path} have neither the seed of a user (SU…) nor a JWT with its seed.`)
}

function readLogin(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new BusStartError(`The NATS credentials ${path} could not be read.`, { cause })
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
