// Bodies of requests in a collection, as they are sent.
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import { shown } from '#core/imports/monitor-parts.ts'
import { type Rewrite, rewriteJson } from '#core/imports/requests/rewriting.ts'
import { writeMultipart } from '#core/imports/requests/multipart.ts'
import type { PostmanBody, PostmanField } from './postman-rows.ts'
import { encodeAround, plainText } from './postman-variables.ts'

/** The type counts where the request names none itself, but for a form with parts, whose type belongs to its body. */
export type SentBody = { body: string | null; type: string | null; isTypeNeeded: boolean }

const none: SentBody = { body: null, type: null, isTypeNeeded: false }

const rawTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
}

export type Writing = {
  /** Puts values in the places of variables. */
  fill: (text: string) => string
  seal: Rewrite
}

export function sentBody(
  given: PostmanBody | null | undefined,
  { fill, seal }: Writing,
  { place, findings }: Where,
): SentBody {
  if (given === null || given === undefined || given.disabled) return none
  switch (given.mode) {
    case 'raw': {
      const filled = fill(given.raw ?? '')
      const body = rewriteJson(filled, seal) ?? filled
      const language = given.options?.raw?.language ?? 'text'
      const type = Object.hasOwn(rawTypes, language) ? (rawTypes[language] ?? null) : null
      return body === '' ? none : { body, type, isTypeNeeded: false }
    }
    case 'urlencoded': {
      const pairs = sentFields(given.urlencoded).map(({ key, value }) => {
        const name = fill(key ?? '')
        return `${encodeAround(name)}=${encodeAround(seal(name, fill(plainText(value))))}`
      })
      return { body: pairs.join('&'), type: 'application/x-www-form-urlencoded', isTypeNeeded: false }
    }
    case 'formdata': {
      const fields = sentFields(given.formdata).flatMap(({ key, value, type }) => {
        const name = fill(key ?? '')
        if (type !== 'file') return [{ name, value: seal(name, fill(plainText(value))) }]
        findings.lost(place, `The file "${shown(key ?? '')}" that it sends is left out.`)
        return []
      })
      return { ...writeMultipart(fields), isTypeNeeded: true }
    }
    case 'graphql': {
      const query = fill(given.graphql?.query ?? '')
      const { variables } = given.graphql ?? {}
      const values = typeof variables === 'string' ? innerJson(fill(variables)) : variables
      const body = JSON.stringify({ query, ...(values === undefined || values === null ? {} : { variables: values }) })
      return { body: rewriteJson(body, seal), type: 'application/json', isTypeNeeded: false }
    }
    case null:
      return none
    default:
      findings.lost(place, `Its body is left out, because it is no part of the file (${shown(given.mode)}).`)
      return none
  }
}

function sentFields(fields: readonly PostmanField[] | null | undefined): PostmanField[] {
  return (fields ?? []).filter(({ disabled, key }) => !disabled && key !== null)
}
