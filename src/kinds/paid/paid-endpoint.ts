import type { HttpOutcome } from '#net/http/http-request.ts'
import type { Net } from '#net/net.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { webHeaders } from '#kinds/web/web-kind.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'
import { judgePaid } from './paid-judge.ts'
import { paidOptions, type PaidOptions } from './paid-options.ts'

/**
 * An endpoint that sells its answers: its offer is read and compared with what is pinned. It is paid only in a trial that
 * brings a payment, which the installation has signed.
 */
export const paidEndpoint = defineKind<PaidOptions, HttpOutcome>({
  name: 'paid_endpoint',
  options: paidOptions,
  secretOptions: [],
  targetProblem: webTargetProblem,
  observe: askForOffer,
  judge: judgePaid,
})

/** Redirects are not followed: what another address sells is another sale. The offer stands in the headers. */
function askForOffer(check: Check<PaidOptions>, net: Net, signal: AbortSignal): Promise<HttpOutcome> {
  const request = {
    url: new URL(check.url),
    method: check.method,
    headers: {
      ...webHeaders(check, 'application/json'),
      ...(check.purchase?.type === 'pay' ? { 'payment-signature': check.purchase.signature } : {}),
    },
    body: check.requestBody,
    maxRedirects: 0,
    headersOnly: true,
    maxBodyBytes: 0,
    maxWireBytes: 0,
    timeoutMs: check.timeoutMs,
  }
  return net.http(request, signal)
}
