/** The call that a check makes (gRPC, "GRPC Health Checking Protocol"). */
export const healthPath = '/grpc.health.v1.Health/Check'

/** Names of grpc.health.v1.HealthCheckResponse.ServingStatus, by their numbers. */
export const servingStatuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const
export type ServingStatus = (typeof servingStatuses)[number]

/** Of the status codes of gRPC, by their numbers. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

/** A HealthCheckRequest for a service, in the length-prefixed form of gRPC over HTTP/2. */
export function healthRequest(service: string): Buffer {
  const name = Buffer.from(service)
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a]), varint(name.length), name])
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7])
}

/** The status in a HealthCheckResponse; null where the bytes are no such message, alone and not compressed. */
export function readHealthResponse(body: Buffer): ServingStatus | null {
  if (body.length < 5 || body[0] !== 0 || body.readUInt32BE(1) !== body.length - 5) return null
  let found = 0
  for (let at = 5; at < body.length;) {
    const tag = readVarint(body, at)
    if (tag === null) return null
    const value = readVarint(body, tag.end)
    const type = tag.value % 8
    if (type === 0 && value !== null) {
      if (tag.value === 8) found = value.value
      at = value.end
    } else if (type === 2 && value !== null) at = value.end + value.value
    else if (type === 1 || type === 5) at = tag.end + (type === 1 ? 8 : 4)
    else return null
    if (at > body.length) return null
  }
  return servingStatuses[found] ?? null
}

/** Of at most ten bytes (Protocol Buffers, "Encoding"). */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - start))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return null
}

export type GrpcStatus = { code: number; name: string; message: string }

/** How a call ended, which trailers say, or headers where nothing else follows; null where neither does. */
export function readGrpcStatus(
  trailers: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): GrpcStatus | null {
  const from = trailers['grpc-status'] === undefined ? headers : trailers
  const text = from['grpc-status']
  if (text === undefined || !/^\d{1,3}$/.test(text)) return null
  const code = Number(text)
  return { code, name: statusNames[code] ?? 'an unknown status', message: decoded(from['grpc-message'] ?? '') }
}

/** Percent-encoded UTF-8; what cannot be decoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What belongs to the connection or to the protocol; a monitor's own headers of these names are not sent. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** The headers of a call, with the monitor's own as its metadata. */
export function callHeaders(own: Readonly<Record<string, string>>, timeoutMs: number): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'Perigee/1 (+uptime check)' }
  for (const [given, value] of Object.entries(own)) {
    const name = given.toLowerCase()
    if (!ownHeaders.has(name) && !name.startsWith('grpc-')) headers[name] = value
  }
  return { ...headers, te: 'trailers', 'content-type': 'application/grpc', 'grpc-timeout': `${timeoutMs}m` }
}
