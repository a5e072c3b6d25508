// RESP2, the protocol of Redis ("Redis serialization protocol specification").
import type { Peer } from '#net/tcp/talk.ts'

/** What answers a command. A text of some length follows in the stream; its reader takes it from there. */
export type RedisAnswer =
  | { type: 'line'; text: string }
  | { type: 'error'; text: string }
  | { type: 'integer'; value: number }
  | { type: 'text'; byteCount: number }
  | { type: 'nothing' }
  | { type: 'unknown'; text: string }

/** A command as an array of texts, each with its length in bytes, so that no text can be taken for another command. */
export function redisCommand(words: readonly string[]): Buffer {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`)
}

/** Reads the first line of an answer. */
export function readRedisAnswer(line: string): RedisAnswer {
  const text = line.slice(1)
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : null
  if (line.startsWith('+')) return { type: 'line', text }
  if (line.startsWith('-')) return { type: 'error', text }
  if (line.startsWith(':') && number !== null) return { type: 'integer', value: number }
  if (line === '$-1') return { type: 'nothing' }
  if (line.startsWith('$') && number !== null && number >= 0) return { type: 'text', byteCount: number }
  return { type: 'unknown', text: line }
}

/** The text that was announced, with its end. */
export async function takeText(peer: Peer, byteCount: number, awaited: string): Promise<Buffer> {
  return (await peer.take(byteCount + 2, awaited)).subarray(0, byteCount)
}

/** The fields of `INFO`, by their names; of a name that comes twice the first one. */
export function readRedisInfo(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const end = line.indexOf(':')
    const name = line.slice(0, end)
    if (end > 0 && !line.startsWith('#') && !fields.has(name)) fields.set(name, line.slice(end + 1).trim())
  }
  return fields
}
