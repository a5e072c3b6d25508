import { z } from 'zod'

const maxRequestHeaders = 100
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'Is not a header name.')
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Holds a character that a header cannot carry.')
/** Headers that a customer has sent with checks. */
export const requestHeaders = z
  .record(headerName, headerValue)
  .refine(
    (headers) => Object.keys(headers).length <= maxRequestHeaders,
    `Must have at most ${maxRequestHeaders} headers.`,
  )
  .meta({ maxProperties: maxRequestHeaders })
