/** Undefined where the text is no JSON in base64, in either alphabet (RFC 4648 4 and 5). Throws nothing. */
export function decodeJson(text: string): unknown {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
