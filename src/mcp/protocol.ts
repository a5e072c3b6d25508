import { type McpServerFactory, createMcpHandler } from '@modelcontextprotocol/server'
import { isObject } from '#api-document/openapi-schemas.ts'

/**
 * Answers one request of any revision from a server made for it, so that nothing is kept between requests. `parsedBody`
 * was read at the gate. Throws what making the server throws, which the SDK would keep to itself.
 */
export async function answerWith(
  createServer: McpServerFactory,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const made: { isListening: boolean; failure: unknown } = { isListening: false, failure: null }
  const create: McpServerFactory = async (context) => {
    made.isListening = context.era === 'modern' && isObject(parsedBody) && parsedBody['method'] === listenMethod
    try {
      return await createServer(context)
    } catch (error) {
      made.failure = error
      throw error
    }
  }
  const answer = await createMcpHandler(create, { maxSubscriptions: 0 }).fetch(request, { parsedBody })
  if (made.failure !== null) throw made.failure
  // The SDK lets streams be kept, and one may carry a token that was made just now.
  answer.headers.set('Cache-Control', 'no-store, no-transform')
  return made.isListening && isObject(parsedBody) ? unknownMethod(parsedBody['id']) : answer
}

const listenMethod = 'subscriptions/listen'

/**
 * Nothing here announces changes, so there is nothing to listen to. The SDK, which knows the method, would say that too
 * many listen; what a server has not is a method that it does not know (SEP-2575).
 */
function unknownMethod(id: unknown): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }, { status: 404 })
}
