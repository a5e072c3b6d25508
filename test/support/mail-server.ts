// A mail server that remembers what came and refuses what it is told to.
import { once } from 'node:events'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { from: string; to: string[]; raw: string; at: number }
export type Refusal = { code: number; text: string } | null

export type MailServer = {
  url: string
  received: ReceivedMail[]
  connections: () => number
  /** Null accepts; the default accepts all. */
  refuse: (refusals: { recipient?: (address: string) => Refusal; message?: () => Refusal }) => void
  close: () => Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  let refusals: { recipient?: (address: string) => Refusal; message?: () => Refusal } = {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, accept) => {
      connections += 1
      accept()
    },
    onRcptTo: ({ address }, _session, accept) => accept(toError(refusals.recipient?.(address) ?? null)),
    onData: (stream, { envelope }, accept) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const refusal = refusals.message?.() ?? null
        if (refusal === null)
          received.push({
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(pieces).toString('utf8'),
            at: performance.now(),
          })
        accept(toError(refusal))
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await new Promise<void>((resolve) => {
      server.close(resolve)
    })
  }
  after(close)
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    connections: () => connections,
    refuse: (next) => {
      refusals = next
    },
    close,
  }
}

function toError(refusal: Refusal): Error | null {
  return refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code })
}
