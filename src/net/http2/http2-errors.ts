/** RFC 9113 7. */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

export function errorName(code: number): string {
  return errorNames[code] ?? `the code ${code}`
}

/** What is told of an error that is about the whole connection, which each stream has as well. */
export function breachOf(error: NodeJS.ErrnoException): string | undefined {
  return error.code === 'ERR_HTTP2_ERROR' ? `The server breaks the protocol of HTTP/2 (${error.message})` : undefined
}
