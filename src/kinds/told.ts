import { quoted, readable } from './readable.ts'

/** What a server said, for texts. A server that repeats what it was told does not get the secrets into a result. */
export type Told = { quoted: (said: string) => string; readable: (said: string) => string }

/** What is shorter is a part of too many words to be taken out of texts. */
const leastSecret = 6

export function toldWithout(secrets: readonly string[]): Told {
  const without = (said: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), said)
  return { quoted: (said) => quoted(without(said)), readable: (said) => readable(without(said)) }
}

/** Without what was sent: the values of request headers with each of their words, such as a token, and other texts. */
export function toldWithoutSent(requestHeaders: Readonly<Record<string, string>>, ...others: string[]): Told {
  const values = Object.values(requestHeaders)
  const sent = [...others, ...values, ...values.flatMap((value) => value.split(' '))]
  return toldWithout(sent.filter(({ length }) => length >= leastSecret))
}
