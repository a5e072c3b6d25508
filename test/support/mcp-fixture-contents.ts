// The contents that the fixtures of the public conformance suite are made of.
import { type InputRequest, inputRequired } from '@modelcontextprotocol/server'

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

export const said = (words: string) => ({ type: 'text', text: words }) as const
export const image = { type: 'image', data: png, mimeType: 'image/png' } as const
export const sound = { type: 'audio', data: wav, mimeType: 'audio/wav' } as const
export const embedded = (uri: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } }) as const

/** A question to the person, answered with one text of this name. */
export function askFor(name: string, message: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
}
