import type { KindName } from '../api/monitors.ts'

const longestName = 160

/** A monitor to be. */
export type Wish = {
  kind: KindName
  url: string
  name: string
  /** The same without TLS, where only a name was given: taken if this one answers and `url` does not. */
  otherwise: string | null
}

/** Ports that one protocol has to itself. */
const kindsOfPorts: Readonly<Record<number, KindName>> = {
  22: 'ssh',
  465: 'smtp',
  587: 'smtp',
  993: 'imap',
  995: 'pop',
}

/** The likely meaning of what a person typed or pasted. Whether it can be watched is for the service to say. */
export function wishOf(text: string): Wish {
  if (/^[a-z][\w+.-]*:\/\//i.test(text)) return website(text)
  if (/[/?#]/.test(text)) return website(`https://${text}`, `http://${text}`)
  const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]*:[\da-f]*:[\da-f:.]*\]?)$/i
  if (address.test(text)) return server('ping', text.replace(/^\[(.*)\]$/, '$1'))
  const [, host, digits] = /^([^:]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? []
  if (host === undefined) return website(`https://${text}`, `http://${text}`)
  const port = Number(digits)
  if (port === 443) return website(`https://${host}`)
  if (port === 80) return website(`http://${host}`)
  return server(kindsOfPorts[port] ?? 'tcp', text)
}

function website(url: string, otherwise: string | null = null): Wish {
  return { kind: 'http', url, name: shortened(url), otherwise }
}

function server(kind: KindName, url: string): Wish {
  return { kind, url, name: url.slice(0, longestName), otherwise: null }
}

/** Without what does not tell one website from another, nor what should not stand in a name. */
function shortened(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  const name = host === '' ? url : host + pathname.replace(/\/$/, '')
  return name.slice(0, longestName)
}

/** The same for addresses that are checked alike, however they are written. */
export function sameness({ kind, url }: { kind: string; url: string | null }): string {
  const text = url ?? ''
  return `${kind} ${kind === 'http' ? (URL.parse(text)?.href ?? text) : text.toLowerCase()}`
}
