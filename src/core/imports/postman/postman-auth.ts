// How requests of a collection sign in, as headers or as options of a transaction.
import type { Where } from '#core/imports/findings.ts'
import { basicAuthorization, shown } from '#core/imports/monitor-parts.ts'
import type { PostmanAuth } from './postman-rows.ts'
import { plainText } from './postman-variables.ts'

export type SigningIn = {
  /** Sent with the request. */
  header: [name: string, value: string] | null
  /** Added to the address. */
  parameter: [name: string, value: string] | null
  /** Of the whole transaction: the options of its kind. */
  options: Readonly<Record<string, string>> | null
}

export const noSignIn: SigningIn = { header: null, parameter: null, options: null }

/** `fill` puts values in the places of variables. */
export function signingIn(
  auth: PostmanAuth | null | undefined,
  fill: (text: string) => string,
  { place, findings }: Where,
): SigningIn {
  const type = auth?.type ?? 'noauth'
  if (type === 'noauth') return noSignIn
  const given = attributesOf(auth?.[type], fill)
  const named = (name: string): string => given.get(name) ?? ''
  switch (type) {
    case 'basic':
      return { ...noSignIn, header: ['authorization', basicAuthorization(named('username'), named('password'))] }
    case 'bearer':
      return { ...noSignIn, header: ['authorization', `Bearer ${named('token')}`] }
    case 'apikey': {
      const field: [string, string] = [named('key'), named('value')]
      return named('in') === 'query' ? { ...noSignIn, parameter: field } : { ...noSignIn, header: field }
    }
    case 'digest':
      return signedBy('digest', { sign_in_name: named('username'), sign_in_secret: named('password') })
    case 'awsv4':
      if (named('sessionToken') !== '')
        findings.lost(place, 'The session token of AWS is left out, because it is good for hours alone.')
      return signedBy('aws', {
        sign_in_name: named('accessKey'),
        sign_in_secret: named('secretKey'),
        aws_region: named('region') === '' ? 'us-east-1' : named('region'),
        aws_service: named('service') === '' ? 'execute-api' : named('service'),
      })
    case 'oauth2':
      return tokenOf(named, { place, findings })
    default:
      findings.lost(place, `Checks do not sign in by ${shown(type)}, so it is sent without credentials.`)
      return noSignIn
  }
}

function attributesOf(listed: unknown, fill: (text: string) => string): Map<string, string> {
  const pairs: (readonly [unknown, unknown])[] = Array.isArray(listed)
    ? listed.slice(0, 100).map((each: unknown) => [Object(each).key, Object(each).value])
    : Object.entries(Object(listed)).slice(0, 100)
  return new Map(pairs.map(([key, value]) => [plainText(key), fill(plainText(value))]))
}

function signedBy(way: string, options: Readonly<Record<string, string>>): SigningIn {
  const given = Object.entries(options).filter(([, value]) => value !== '')
  return { ...noSignIn, options: { sign_in: way, ...Object.fromEntries(given) } }
}

/** A token is asked for by the client itself; one that a person asked for is sent as it is. */
function tokenOf(named: (name: string) => string, { place, findings }: Where): SigningIn {
  if (named('grant_type') === 'client_credentials' && named('accessTokenUrl') !== '')
    return signedBy('oauth2', {
      sign_in_name: named('clientId'),
      sign_in_secret: named('clientSecret'),
      token_url: named('accessTokenUrl'),
      token_method: named('client_authentication') === 'body' ? 'post' : '',
      token_scope: named('scope'),
      token_audience: named('audience'),
    })
  const token = named('accessToken')
  if (token === '') {
    findings.lost(place, 'A person has to ask for its token of OAuth 2, so it is sent without credentials.')
    return noSignIn
  }
  findings.changed(place, 'Its token of OAuth 2 is sent as it is. The step fails once the token expires.')
  const prefix = named('headerPrefix').trim()
  return named('addTokenTo') === 'queryParams'
    ? { ...noSignIn, parameter: ['access_token', token] }
    : { ...noSignIn, header: ['authorization', `${prefix === '' ? 'Bearer' : prefix} ${token}`] }
}
