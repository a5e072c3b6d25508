import type { Verdict } from '#core/results/result.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls } from '#kinds/talk/access-options.ts'
import { toldWithoutSent } from '#kinds/told.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import type { Http2Answer, Http2Outcome } from '#net/http2/http2-request.ts'
import { callHeaders, healthPath, healthRequest, readGrpcStatus, readHealthResponse } from './grpc-messages.ts'
import { grpcOptions, type GrpcOptions } from './grpc-options.ts'

const maxBytes = 64 * 1024

const form: AddressForm = {
  ports: { grpc: null, grpcs: null },
  example: 'grpcs://api.example.com:443',
  path: null,
  secrets: 'request_headers',
}

/** A gRPC server with the health service grpc.health.v1.Health. */
export const grpc = defineKind<GrpcOptions, Http2Outcome>({
  name: 'grpc',
  options: grpcOptions,
  secretOptions: ['client_certificate'],
  targetProblem: addressProblem(form),
  observe: ({ url, options, requestHeaders, timeoutMs }, net, signal) => {
    const { scheme, host, port } = addressTarget(url, form)
    return net.http2(
      {
        isTls: scheme === 'grpcs',
        host,
        port,
        path: healthPath,
        headers: callHeaders(requestHeaders, timeoutMs),
        body: healthRequest(options.service ?? ''),
        tls: ownTls(options),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
  },
  judge: judgeGrpc,
})

export function judgeGrpc(
  { outcome, answer }: Http2Outcome,
  { options, requestHeaders }: Pick<Check<GrpcOptions>, 'options' | 'requestHeaders'>,
): Verdict {
  const { details, problem } = outcome.ok ? found(answer, requestHeaders) : { details: {}, problem: null }
  const findings: Finding[] = problem === null ? [] : [{ status: 'down', error: problem }]
  return {
    ...judgeTalk(outcome, { details, findings, maxLatencyMs: options.max_latency_ms }),
    statusCode: answer.status,
  }
}

type Found = { details: Record<string, unknown>; problem: string | null }

function found({ status, headers, body, trailers }: Http2Answer, own: Readonly<Record<string, string>>): Found {
  const call = readGrpcStatus(trailers, headers)
  if (call === null) {
    const isHttp = status !== 200 || headers['content-type']?.startsWith('application/grpc') !== true
    const problem = isHttp
      ? `Not an answer of gRPC: HTTP status ${status}`
      : 'The server does not say how the call ended'
    return { details: {}, problem }
  }
  const details = { grpc_status: call.name }
  if (call.code === 5) return { details, problem: 'The server does not know the service' }
  if (call.code === 12)
    return { details, problem: 'The server has no health service (grpc.health.v1.Health): UNIMPLEMENTED' }
  if (call.code !== 0) {
    const why = call.message === '' ? '' : `: ${toldWithoutSent(own).quoted(call.message)}`
    return { details, problem: `The server refuses the call with ${call.name} (${call.code})${why}` }
  }
  const serving = readHealthResponse(body)
  if (serving === null) return { details, problem: 'The answer of the health service cannot be read' }
  const told = { ...details, serving_status: serving }
  return { details: told, problem: serving === 'SERVING' ? null : `The server says ${serving}, expected SERVING` }
}
