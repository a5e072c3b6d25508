import { z } from 'zod'
import type { HttpAnswer } from './message.ts'

const words = z.string().trim().min(1)
const listed = z.array(z.unknown()).min(1)

/** Where providers say in JSON what is wrong, the most telling first. */
const members = [
  'error_description',
  'errorDescription',
  'message',
  'description',
  'detail',
  'error',
  'title',
  'errors',
] as const

/**
 * What a provider says of a refusal in words; null where it says nothing, or answers with a page for people. The text
 * is the provider's: whatever shows it cuts and redacts it.
 */
export function providerText({ headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): string | null {
  const text = body.trim()
  if (text === '' || text.startsWith('<') || headers['content-type']?.includes('html') === true) return null
  return /^[[{"]/.test(text) ? wordsOf(readJson(text), 0) : text
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const deepest = 3

function wordsOf(value: unknown, depth: number): string | null {
  const said = words.safeParse(value)
  if (said.success) return said.data
  if (depth > deepest || typeof value !== 'object' || value === null) return null
  const list = listed.safeParse(value)
  if (list.success) return wordsOf(list.data[0], depth + 1)
  const held = new Map<string, unknown>(Object.entries(value))
  for (const name of members) {
    const found = wordsOf(held.get(name), depth + 1)
    if (found !== null) return found
  }
  return null
}
