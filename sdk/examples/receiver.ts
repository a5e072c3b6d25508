// Prints the alerts that a webhook gets:
//
//   SIGNING_SECRET=whsec_… PORT=8080 node receiver.ts
import { createServer, type IncomingMessage } from 'node:http'
import { verifyWebhook, WebhookError, type WebhookEvent } from '@perigee/sdk'

const { SIGNING_SECRET: secret = '', PORT: port = '8080' } = process.env

createServer(async (request, response) => {
  try {
    console.log(inWords(await verifyWebhook(await bodyOf(request), request.headers, secret)))
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookError)) console.error(error)
    response.writeHead(error instanceof WebhookError ? 401 : 500).end()
  }
}).listen(Number(port), '127.0.0.1', () => console.log('Waiting for alerts.'))

function inWords(event: WebhookEvent): string {
  switch (event.type) {
    case 'monitor.down':
      return `${event.data.monitor.name} is down: ${event.data.incident.cause}`
    case 'monitor.up':
      return `${event.data.monitor.name} is up again`
    case 'monitor.unstable':
      return `${event.data.monitor.name} went down or came back ${event.data.changes} times`
    case 'slo.burning':
      return `${event.data.slo.name} has ${event.data.slo.budget_left_percent} % of its error budget left`
    case 'alerts.bundle':
      return event.data.alerts.map(inWords).join('\n')
    case 'status.post':
      return `${event.data.page.title}: ${event.data.post?.body}`
    default:
      return event.type
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes > 100_000) throw new WebhookError('wrong_body', 'The message is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
