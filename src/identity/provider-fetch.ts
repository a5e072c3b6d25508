import type { CustomFetch } from 'openid-client'
import type { HttpOutcome } from '#net/http/http-request.ts'
import type { Net } from '#net/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

/** Why a provider cannot be used, in a sentence for the person who signs in or the owner who set it up. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
}

const timeoutMs = 5_000
/** The metadata and the keys of the largest providers have some 20 KB. */
const maxBytes = 256 * 1024
/** The headers by which the library decides anything. */
const readHeaders = ['content-type', 'www-authenticate', 'cache-control'] as const
/** Statuses that have no body (Fetch Standard, null body status). */
const withoutBody = new Set([204, 205, 304])

/** Requests of `openid-client`, by guarded sockets and with an end. A redirect would lead to another provider. */
export function createProviderFetch(net: Pick<Net, 'http'>): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const deadline = AbortSignal.timeout(timeoutMs)
    const request = {
      url,
      method,
      headers,
      body: body instanceof URLSearchParams ? body.toString() : null,
      maxRedirects: 0,
      headersOnly: false,
      maxBodyBytes: maxBytes,
      maxWireBytes: maxBytes,
      timeoutMs,
    }
    const outcome = await exchange(net, request, signal === undefined ? deadline : AbortSignal.any([signal, deadline]))
    if (!outcome.ok) throw new ProviderTrouble(`${url.host} did not answer: ${outcome.failure.message}.`)
    const { status, isTruncated, body: bytes, headers: answered } = outcome.answer
    if (isTruncated) throw new ProviderTrouble(`${url.host} answered with more than ${maxBytes / 1024} KB.`)
    const kept = readHeaders.flatMap((name) => (answered[name] === undefined ? [] : [[name, answered[name]]]))
    return new Response(withoutBody.has(status) ? null : new Uint8Array(bytes), {
      status: status >= 200 && status <= 599 ? status : 502,
      headers: Object.fromEntries(kept),
    })
  }
}

async function exchange(
  net: Pick<Net, 'http'>,
  request: Parameters<Net['http']>[0],
  signal: AbortSignal,
): Promise<HttpOutcome> {
  try {
    return await net.http(request, signal)
  } catch (error) {
    if (!(error instanceof OwnTrouble)) throw error
    throw new ProviderTrouble('The provider cannot be asked right now. Try again later.')
  }
}
