// The servers that `bench -- evidence` and `bench -- views` check. They answer with an error page, and below `/up` with the
// same page as a success, in a process of their own, whose CPU counts in no figure.
import { type RequestListener, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { once } from 'node:events'
import { testCertificates } from '../../test/support/test-certificates.ts'

/** The addresses, by what fails there, and the root that the first of them is to be trusted by. */
export type FailingTarget = { rootPem: string; urls: Record<'http' | 'https' | 'untrusted', string> }

const pageBytes = 16 * 1024
const line = '<tr><td>upstream</td><td>connect() failed (111: Connection refused) while connecting</td></tr>\n'
const page = line.repeat(Math.ceil(pageBytes / line.length)).slice(0, pageBytes)
const answer: RequestListener = ({ url }, response) =>
  response
    .writeHead(url === '/up' ? 200 : 500, {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': 'session=1',
      server: 'bench',
    })
    .end(page)

const { root, good, selfSigned } = testCertificates()
const target: FailingTarget = {
  rootPem: root.pem,
  urls: {
    http: `http://127.0.0.1:${await portOf(createServer(answer))}/`,
    https: `https://127.0.0.1:${await portOf(createTlsServer({ cert: good.pem, key: good.keyPem }, answer))}/`,
    untrusted: `https://127.0.0.1:${await portOf(createTlsServer({ cert: selfSigned.pem, key: selfSigned.keyPem }, answer))}/`,
  },
}
process.send?.(target)

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}
