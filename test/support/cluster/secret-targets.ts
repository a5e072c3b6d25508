import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { httpServer } from '../http-server.ts'

/** Targets by number, each of which has to be asked with its own secrets. */
export type SecretTargets = {
  address: string
  /** The members of a monitor that asks it with them. */
  monitorOf: (number: number) => object
  fail: (number: number) => void
  /** How often it was asked as it has to be. */
  asked: (number: number) => number
  /** One sentence for each request without its secrets. */
  problems: readonly string[]
}

export async function startSecretTargets(): Promise<SecretTargets> {
  const failing = new Set<number>()
  const asked = new Map<number, number>()
  const problems: string[] = []
  const hear = async (request: IncomingMessage, number: number): Promise<void> => {
    const [header, body] = [request.headers['x-secret'], await text(request)]
    if (header !== headerOf(number) || body !== bodyOf(number))
      problems.push(`${number} was asked with ${String(header)}`)
    asked.set(number, (asked.get(number) ?? 0) + 1)
  }
  const { port } = await httpServer((request, response) => {
    const number = Number(request.url?.slice(1))
    // A check whose prober wants to know whether anything answers has no secrets.
    const heard = Number.isInteger(number) && number > 0 ? hear(request, number) : Promise.resolve()
    void heard.then(() => response.writeHead(failing.has(number) ? 500 : 200).end())
  })
  const address = `127.0.0.1:${port}`
  return {
    address,
    monitorOf: (number) => ({
      kind: 'http',
      name: `target ${number}`,
      url: `http://${address}/${number}`,
      method: 'POST',
      request_headers: { 'x-secret': headerOf(number) },
      request_body: bodyOf(number),
    }),
    fail: (number) => failing.add(number),
    asked: (number) => asked.get(number) ?? 0,
    problems,
  }
}

const headerOf = (number: number): string => `header of ${number}`
const bodyOf = (number: number): string => `body of ${number}`
