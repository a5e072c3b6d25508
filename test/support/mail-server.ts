// A mail server that remembers what came and refuses what it is told to.
import { once } from 'node:events'
import { after } from 'node:test'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export type ReceivedMail = { from: string; to: string[]; raw: string; at: number }
/** Null accepts; `cut` breaks the connection instead of an answer. */
export type Refusal = { code: number; text: string } | 'cut' | null
export type Refusals = {
  greeting?: () => Refusal
  sender?: () => Refusal
  recipient?: (address: string) => Refusal
  message?: () => Refusal
}

export type MailServer = {
  url: string
  received: ReceivedMail[]
  connections: () => number
  /** The default accepts all. */
  refuse: (refusals: Refusals) => void
  close: () => Promise<void>
}

/** At an address of this machine, loopback by default. */
export async function startMailServer(host = '127.0.0.1'): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  let refusals: Refusals = {}
  const reply = (refusal: Refusal, session: SMTPServerSession, accept: (error?: Error | null) => void): void => {
    if (refusal !== 'cut') return accept(toError(refusal))
    for (const connection of server.connections) if (connection.session === session) connection.close()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onConnect: (session, accept) => {
      connections += 1
      reply(refusals.greeting?.() ?? null, session, accept)
    },
    onMailFrom: (_address, session, accept) => reply(refusals.sender?.() ?? null, session, accept),
    onRcptTo: ({ address }, session, accept) => reply(refusals.recipient?.(address) ?? null, session, accept),
    onData: (stream, session, accept) => {
      const { envelope } = session
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
        reply(refusal, session, accept)
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, host)
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
    url: `smtp://${host}:${address.port}`,
    received,
    connections: () => connections,
    refuse: (next) => {
      refusals = next
    },
    close,
  }
}

function toError(refusal: Exclude<Refusal, 'cut'>): Error | null {
  return refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code })
}
