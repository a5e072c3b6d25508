import type { Check, OptionHost } from '#kinds/kind.ts'
import type { HttpOutcome, HttpRequest, SignIn } from '#net/http/http-request.ts'
import { type RouteOptions, routeOf } from '#kinds/web/route-options.ts'
import type { Net } from '#net/net.ts'
import { perNet } from '#kinds/per-net.ts'
import { signInByAws } from './aws-signature.ts'
import { signInByDigest } from './digest.ts'
import { createOauthTokens, signInByToken, type Taken, takeToken, type TokenRequest } from './oauth-tokens.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** `refusal` says why a server did not let the request in, to follow a colon; null where it did, or none was signed. */
export type SignedOutcome = HttpOutcome & { refusal?: string | null }

type Means = { net: Net; signal: AbortSignal }

const tokensOf = perNet(() => createOauthTokens())

/** Sends a request as the options say, signed in to the origin of the monitor's own target and to no other. */
export async function askSigned(
  request: HttpRequest,
  check: Check<SignInOptions & RouteOptions>,
  { net, signal }: Means,
): Promise<SignedOutcome> {
  const { sign_in: way, sign_in_name: name = '', sign_in_secret: secret = '' } = check.options
  const { origin } = new URL(check.url)
  const route = routeOf(check.options)
  const send = (asked: HttpRequest): Promise<HttpOutcome> => net.http({ ...asked, ...route }, signal)
  if (way === undefined || request.url.origin !== origin) return send(request)
  const credentials = { name, secret }
  const ask = async (signIn: SignIn): Promise<SignedOutcome> => {
    const outcome = await send({ ...request, signIn: within(origin, signIn) })
    return { ...outcome, refusal: outcome.ok && outcome.answer.status === 401 ? signIn.refusal() : null }
  }
  switch (way) {
    case 'digest':
      return ask(signInByDigest(credentials))
    case 'aws': {
      const { aws_region: region = '', aws_service: service = '' } = check.options
      return ask(signInByAws(credentials, { region, service }, () => new Date()))
    }
    case 'oauth2': {
      const tokens = tokensOf(net)
      const wanted = tokenRequestOf(check)
      const take = async (): Promise<Taken> => {
        const taken = await takeToken(wanted, tokens, send)
        if (taken.ok) net.conceal(taken.token)
        return taken
      }
      const taken = await take()
      if (!taken.ok) return taken.outcome
      const renew = async (): Promise<string | null> => {
        tokens.forget(wanted)
        const renewed = await take()
        return renewed.ok ? renewed.token : null
      }
      return ask(signInByToken(taken, renew))
    }
  }
}

function tokenRequestOf({ options, shareKey = '' }: Check<SignInOptions>): TokenRequest {
  const { sign_in_name: name = '', sign_in_secret: secret = '', token_url: url = '', token_method: method } = options
  const { token_scope: scope = null, token_audience: audience = null } = options
  return { url, credentials: { name, secret }, method: method ?? 'basic', scope, audience, shareKey }
}

/** Another origin, to which a redirect leads, learns nothing. */
function within(origin: string, signIn: SignIn): SignIn {
  return {
    ...signIn,
    headersFor: (message) => (message.url.origin === origin ? signIn.headersFor(message) : null),
    answerTo: (message, challenge) => (message.url.origin === origin ? signIn.answerTo(message, challenge) : null),
  }
}

/** Hosts that the options name. */
export function signInHosts({ token_url: url }: SignInOptions): OptionHost[] {
  return url === undefined ? [] : [{ path: ['token_url'], host: new URL(url).hostname }]
}
