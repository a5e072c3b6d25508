import { z } from 'zod'

const maxRequestHeaders = 100
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'Must be a header name.')
export const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Contains a character that is not allowed in a header.')
/** Headers that a customer has sent with checks. */
export const requestHeaders = z
  .record(headerName, headerValue)
  .refine(
    (headers) => Object.keys(headers).length <= maxRequestHeaders,
    `Must have at most ${maxRequestHeaders} headers.`,
  )
  .meta({ maxProperties: maxRequestHeaders })
