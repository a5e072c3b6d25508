import type { ReceivedMail } from '../support/mail-server.ts'

/** A mail's whole text, its transfer encoding undone (RFC 2045 6.7). */
export function textOf({ raw }: ReceivedMail): string {
  const bytes = raw
    .replaceAll(/(?<=^Content-Transfer-Encoding: base64\r\n(?:[^\r\n]+\r\n)*\r\n)[\w+/=\r\n]+/gim, (text) =>
      Buffer.from(text, 'base64').toString('latin1').replaceAll('=', '=3D'),
    )
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The value of a header, its folded lines joined and its words decoded; empty when the mail has none of that name. */
export function headerOf({ raw }: ReceivedMail, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return decoded(line?.slice(name.length + 1).trim() ?? '')
}

/** Encoded words (RFC 2047), of which some in a row may share a character. */
function decoded(value: string): string {
  return value.replaceAll(/(?:=\?utf-8\?[bq]\?[^?\s]*\?=\s*)+/gi, (words) => {
    const bytes = [...words.matchAll(/=\?utf-8\?([bq])\?([^?\s]*)\?=/gi)].map(([, coding = '', text = '']) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
            'latin1',
          ),
    )
    return Buffer.concat(bytes).toString('utf8')
  })
}
