// A mail server that takes everything, for benches of alerts.
import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import type { Arrival } from './alerting.ts'

export type MailSink = { url: string; arrivals: Arrival[]; close: () => Promise<void> }

export async function startMailSink(): Promise<MailSink> {
  const arrivals: Arrival[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, _session, accept) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        arrivals.push({ path: '/email', body: Buffer.concat(pieces).toString('utf8'), at: performance.now() })
        accept()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('A mail server without a port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    arrivals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
