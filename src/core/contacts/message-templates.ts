import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { oneLine } from '#core/language/one-line.ts'

const titleLimit = 500
const bodyLimit = 4000

/** The words of a contact's messages, in Liquid; a null one leaves the built-in words in place. */
export const messageTemplatesSchema = z.strictObject({
  title: text({ min: 1, max: titleLimit }).nullable().default(null).describe('In place of the subject, in one line.'),
  body: text({ min: 1, max: bodyLimit })
    .nullable()
    .default(null)
    .describe('In place of the sentences and the facts below it. The link stays.'),
})
export type MessageTemplates = z.infer<typeof messageTemplatesSchema>

/** What templates came to; a null one leaves the built-in words in place. */
export type MessageWords = { title: string | null; body: string | null }

/** What is wrong with templates, in a sentence each. */
export type TemplateProblems = { title?: string; body?: string }

/** Templates as they are kept: none where neither has words. */
export function keptTemplates(given: MessageTemplates | null): MessageTemplates | null {
  return given === null || (given.title === null && given.body === null) ? null : given
}

const maxTitleLength = 250
const maxLines = 100
const maxBodyLength = 4000

/** What a template made, as a title: a line without disguises. */
export function titleLine(rendered: string): string {
  return oneLine(rendered, maxTitleLength)
}

/** What a template made, as a body: lines without disguises, at most one empty one between others. */
export function bodyLines(rendered: string): string {
  const lines = rendered
    .slice(0, 4 * maxBodyLength)
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => oneLine(line))
    .filter((line, index, all) => line !== '' || (index > 0 && all[index - 1] !== ''))
    .slice(0, maxLines)
    .join('\n')
    .trim()
  return lines.length <= maxBodyLength ? lines : `${lines.slice(0, maxBodyLength - 1).toWellFormed()}…`
}

/** Of a contact that was told in the built-in words, for its log and the incident; null where nothing failed. */
export function problemsText({ title, body }: TemplateProblems): string | null {
  const told = [title === undefined ? [] : [`Title: ${title}`], body === undefined ? [] : [`Body: ${body}`]].flat()
  return told.length === 0 ? null : told.join(' ')
}
