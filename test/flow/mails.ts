import type { ReceivedMail } from '../support/mail-server.ts'

/** A mail's whole text, its transfer encoding undone (RFC 2045 6.7). */
export function textOf({ raw }: ReceivedMail): string {
  const bytes = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The value of a header, its folded lines joined; empty when the mail has none of that name. */
export function headerOf({ raw }: ReceivedMail, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}
