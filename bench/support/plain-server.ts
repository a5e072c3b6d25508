// The target where there is no nginx: answers every request with the same bytes. Run: plain-server.ts folder port ...
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'

const [folder = '', ...ports] = process.argv.slice(2)
const body = 'x'.repeat(200)
const answer =
  'HTTP/1.1 200 OK\r\nserver: bench\r\ndate: Sat, 21 Nov 2026 12:00:00 GMT\r\ncontent-type: text/html\r\n' +
  `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`

function serve(socket: Socket): void {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(answer))
}

const keyFile = join(folder, 'key.pem')
const tls = existsSync(keyFile)
  ? { key: readFileSync(keyFile), cert: readFileSync(join(folder, 'certificate.pem')) }
  : null
for (const port of ports)
  (tls === null ? createServer(serve) : createTlsServer(tls, serve)).listen(Number(port), '127.0.0.1', 4096)
