import { websocket } from '#kinds/websocket/websocket.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { startWs } from '../../support/peers/ws-server.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { acceptHandshake, websocketStandIn } from '../../support/websocket-stand-in.ts'
import { failingSeconds, pluginArguments, silentSeconds, tcpModule, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import { oracleCertificates } from './certificates.ts'

/** Servers that keep connections open, and others that do not. */
export async function socketCases(): Promise<Case[]> {
  const silent = await rawServer(() => {})
  const others = { silent: silent.port, closed: await freePort(), ssh: (await startOpenssh()).port }
  return websocketCases(others)
}

type Others = Record<'silent' | 'closed' | 'ssh', number>

async function websocketCases({ silent, closed, ssh }: Others): Promise<Case[]> {
  const { good, expired, wrongName, rootPath } = oracleCertificates()
  const open = await startWs()
  const refusing = await startWs({ options: { verifyClient: () => false } })
  const changed = { 'Sec-WebSocket-Accept': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }
  const confused = await websocketStandIn({ open: (head) => acceptHandshake(head, changed) })
  const secured = async (certificate: typeof good): Promise<Asked> => ({
    port: (await startWs({ certificate })).port,
    rootPath,
  })
  return [
    websocketCase('good', { port: open.port }),
    websocketCase('turned away', { port: refusing.port, error: /^HTTP status 401, expected 101$/ }),
    websocketCase('an answer to another handshake', { port: confused.port, error: /Sec-WebSocket-Accept is wrong$/ }),
    websocketCase('TLS: good', await secured(good)),
    websocketCase('TLS: expired certificate', { ...(await secured(expired)), error: /expired on/ }),
    websocketCase('TLS: certificate of another name', {
      ...(await secured(wrongName)),
      error: /is for shop\.example/,
    }),
    websocketCase('another protocol (OpenSSH)', { port: ssh, error: /^Not an answer of HTTP/ }),
    websocketCase('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    websocketCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    websocketCase('name that does not exist', { port: closed, ...unknownName }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  /** With TLS, whose certificates check_tcp does not judge. */
  rootPath?: string
  isSilent?: true
}

/** The handshake of RFC 6455 1.3. */
const handshake = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '',
  '',
].join('\r\n')
const accepted = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo='

/** Neither oracle knows WebSocket: both send the handshake as text, and look for what RFC 6455 has as its answer. */
function websocketCase(name: string, { port, host = 'localhost', rootPath, isSilent, ...wish }: Asked): Case {
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const exchanges = [
    { send: handshake.slice(0, -1) },
    { expect: '^HTTP/1.1 101' },
    { expect: `^Sec-WebSocket-Accept: ${accepted.replaceAll('+', '\\+')}` },
  ]
  const command = ['-E', '-s', handshake, '-e', 'HTTP/1.1 101', '-e', accepted, '-A', '-M', 'crit']
  return toCase(websocket, name, {
    ...wish,
    url: `${rootPath === undefined ? 'ws' : 'wss'}://${host}:${port}/`,
    target: `${host}:${port}`,
    check: { timeoutMs: seconds * 1000 },
    ...(rootPath === undefined
      ? { command: ['check_tcp', ...pluginArguments({ host, port, seconds }), ...command] as const }
      : {}),
    module: tcpModule(exchanges, {
      seconds: wish.error === undefined ? seconds : Math.min(seconds, failingSeconds),
      ...(rootPath === undefined ? {} : { tls: { rootPath, isFromStart: true } }),
    }),
  })
}
