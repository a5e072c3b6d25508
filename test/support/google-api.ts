import type { ServerResponse } from 'node:http'
import { publicServices } from '#core/monitors/outside-services.ts'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { httpServer } from './http-server.ts'

export type Asked = { path: string; query: URLSearchParams }

/** A stand-in for an interface of Google's: what was asked, and whatever `answer` says, by the target's address. */
export type GoogleApi = {
  /** Without a final slash. */
  root: string
  asked: Asked[]
  /** A net that takes it for both the page-speed and the web-risk service. */
  net: Net
}

export async function googleApi(answer: (asked: Asked, response: ServerResponse) => void): Promise<GoogleApi> {
  const asked: Asked[] = []
  const { port } = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in')
    asked.push({ path: pathname, query: searchParams })
    response.setHeader('content-type', 'application/json; charset=UTF-8')
    answer({ path: pathname, query: searchParams }, response)
  })
  const root = `http://127.0.0.1:${port}`
  return { root, asked, net: netWith(root) }
}

export function netWith(root: string): Net {
  return createNet({ allowPrivate: 'all', services: { ...publicServices, pageSpeedUrl: root, webRiskUrl: root } })
}

/** An error as Google's interfaces answer it. */
export function refuse(response: ServerResponse, code: number, error: { message: string; status: string }): void {
  const { message, status } = error
  const errors = [{ message, domain: 'global', reason: status.toLowerCase() }]
  response.writeHead(code).end(JSON.stringify({ error: { code, message, errors, status } }))
}
