import { defineKind } from '#kinds/kind.ts'
import { webKind } from './web-kind.ts'
import { apiOptions } from './web-options.ts'

/** An API: as http, but it asks for JSON and always reads the whole answer. */
export const api = defineKind(webKind({ name: 'api', options: apiOptions, accept: 'application/json' }))
