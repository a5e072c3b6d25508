import { Server, createMcpHandler } from '@modelcontextprotocol/server'

export type { Server }

/**
 * Answers one request of any revision from a server made for it, so that nothing is kept between requests. `parsedBody`
 * was read at the gate. No stream of changes is opened: nothing here announces any.
 */
export function answerWith(createServer: () => Server, request: Request, parsedBody: unknown): Promise<Response> {
  return createMcpHandler(createServer, { maxSubscriptions: 0 }).fetch(request, { parsedBody })
}
