import type { z } from 'zod'
import { text } from './text.ts'

export const maxLinkLength = 1000

/** The address of a web page that a person gave, to be shown as a link: never one that runs as a script does. */
export const webLink: z.ZodString = text({ min: 1, max: maxLinkLength }).refine(
  isWebLink,
  'Must be an address that begins with https:// or http://, without a user and a password.',
)

function isWebLink(link: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(link)) return false
  const url = URL.parse(link)
  return url !== null && url.username === '' && url.password === ''
}
