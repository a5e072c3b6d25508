import { z } from 'zod'
import type { OtlpReceiver } from '#core/results/otlp.ts'
import { variable } from './config-values.ts'

const maxHeaders = 20

/** Where results and traces are pushed, as the variables of OpenTelemetry say it. */
export const otlpVariables = {
  PERIGEE_OTLP_ENDPOINT: variable(
    'an http:// or https:// address without user, password and query',
    endpointOf,
  ).optional(),
  PERIGEE_OTLP_HEADERS: variable(
    `up to ${maxHeaders} headers as name=value,name=value, values being percent-encoded`,
    headersOf,
  ).optional(),
  PERIGEE_TRACE_SHARE: variable('a number from 0 to 1, such as 0.01', shareOf).optional(),
}

export const secretOtlpVariables = ['PERIGEE_OTLP_HEADERS'] as const

const otlpShape = z.object(otlpVariables)
type Read = z.infer<typeof otlpShape>

/** OTLP/HTTP has a path for metrics below the endpoint. */
export function otlpOf({ PERIGEE_OTLP_ENDPOINT: endpoint, PERIGEE_OTLP_HEADERS: headers }: Read): OtlpReceiver | null {
  return endpoint === undefined ? null : { url: `${endpoint}/v1/metrics`, headers: headers ?? {} }
}

/** Which share of all rounds is traced. */
export type TraceSettings = { receiver: OtlpReceiver; share: number }

const usualShare = 0.01

export function tracesOf(read: Read): TraceSettings | null {
  const { PERIGEE_OTLP_ENDPOINT: endpoint, PERIGEE_OTLP_HEADERS: headers, PERIGEE_TRACE_SHARE: share } = read
  if (endpoint === undefined || share === 0) return null
  return { receiver: { url: `${endpoint}/v1/traces`, headers: headers ?? {} }, share: share ?? usualShare }
}

export function otlpContradictions(read: Read): string[] {
  if (read.PERIGEE_OTLP_ENDPOINT !== undefined) return []
  return (['PERIGEE_OTLP_HEADERS', 'PERIGEE_TRACE_SHARE'] as const)
    .filter((name) => read[name] !== undefined)
    .map((name) => `${name} needs PERIGEE_OTLP_ENDPOINT. Without an endpoint, nothing is sent.`)
}

function shareOf(text: string): number | null {
  return /^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(text) ? Number(text) : null
}

function endpointOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return `${url.username}${url.password}${url.search}${url.hash}` === '' ? url.href.replace(/\/+$/, '') : null
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
const headerValue = /^[\t\x20-\x7e]{0,4096}$/

/** As OTEL_EXPORTER_OTLP_HEADERS of OpenTelemetry is written, which is like the header of W3C Baggage. */
function headersOf(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((entry) => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(entry) ?? []
    return { name: name.toLowerCase(), value: decoded(value) }
  })
  const areSound = pairs.every(({ name, value }) => headerName.test(name) && value !== null && headerValue.test(value))
  const areDistinct = new Set(pairs.map(({ name }) => name)).size === pairs.length
  if (!areSound || !areDistinct || pairs.length > maxHeaders) return null
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value ?? '']))
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
