import { defineKind } from '#kinds/kind.ts'
import { webKind } from './web-kind.ts'
import { httpOptions } from './web-options.ts'

/** A website: status, keyword, JSON value and time of an answer. */
export const http = defineKind(webKind({ name: 'http', options: httpOptions, accept: '*/*' }))
