// A step with secrets and the values that earlier ones captured, written as the place needs it.
import { headerValue } from '#core/monitors/request-headers.ts'
import type { Check } from '#kinds/kind.ts'
import type { WebOptions } from '#kinds/web/web-options.ts'
import { fillIn, namesIn } from './capture-options.ts'
import type { Values } from './captures.ts'
import type { Step } from './transaction-options.ts'

/** A value stays within the part of the address in which it is written. */
export function urlWith({ url }: Step, values: Values): string | undefined {
  return url === undefined ? undefined : fillIn(url, values, encodeURIComponent)
}

export type Filled = { check: Check<WebOptions> } | { problem: string }

export function withValues(check: Check<WebOptions>, values: Values): Filled {
  if (values.size === 0) return { check }
  const { requestHeaders, requestBody } = check
  const names = Object.values(requestHeaders).flatMap(namesIn)
  const unfit = names.find((name) => !headerValue.safeParse(values.get(name) ?? '').success)
  if (unfit !== undefined) return { problem: `The value of "${unfit}" cannot stand in a header` }
  const headers = Object.entries(requestHeaders).map(([name, value]) => [name, fillIn(value, values, asItIs)])
  const write = writerFor(requestHeaders)
  return {
    check: {
      ...check,
      requestHeaders: Object.fromEntries(headers),
      requestBody: requestBody === null ? null : fillIn(requestBody, values, write),
    },
  }
}

function asItIs(value: string): string {
  return value
}

function writerFor(headers: Readonly<Record<string, string>>): (value: string) => string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(type)) return encodeURIComponent
  return /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(type) ? (value) => JSON.stringify(value).slice(1, -1) : asItIs
}
