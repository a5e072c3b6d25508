import { grpc } from '#kinds/grpc/grpc.ts'
import { refusing, grpcStandIn } from '../../support/grpc-stand-in.ts'
import { startGrpc } from '../../support/peers/grpc-server.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { startWs } from '../../support/peers/ws-server.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { failingSeconds, silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import { oracleCertificates } from './certificates.ts'

const orders = 'shop.v1.Orders'

/** gRPC for Node, and servers that are none. */
export async function callCases(): Promise<Case[]> {
  const { good, expired, wrongName, rootPath } = oracleCertificates()
  const { port } = await startGrpc()
  const resting = await startGrpc()
  resting.health.setStatus(orders, 'NOT_SERVING')
  const secured = async (certificate: typeof good): Promise<Asked> => ({
    port: (await startGrpc({ certificate })).port,
    rootPath,
  })
  const silent = (await rawServer(() => {})).port
  const closed = await freePort()
  return [
    callCase('good', { port }),
    callCase('good, a service', { port, service: orders }),
    callCase('a service that does not serve', { port: resting.port, service: orders, error: /NOT_SERVING/ }),
    callCase('a service that is not known', { port, service: 'shop.v1.None', error: /does not know the service$/ }),
    callCase('no health service', { port: (await startGrpc({ hasHealth: false })).port, error: /UNIMPLEMENTED$/ }),
    callCase('a call that is refused', {
      port: (await grpcStandIn(refusing('16'))).port,
      error: /UNAUTHENTICATED \(16\)$/,
    }),
    callCase('TLS: good', await secured(good)),
    callCase('TLS: expired certificate', { ...(await secured(expired)), error: /expired on/ }),
    callCase('TLS: certificate of another name', { ...(await secured(wrongName)), error: /is for shop\.example/ }),
    callCase('TLS: no HTTP/2', {
      port: (await startWs({ certificate: good })).port,
      rootPath,
      error: /\(no application protocol\)$/,
    }),
    // It closes at once: the kernel may drop its greeting with the connection, which is then reset before any answer.
    callCase('another protocol (OpenSSH)', {
      port: (await startOpenssh()).port,
      error: /does not speak HTTP\/2|was reset by/,
    }),
    callCase('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    callCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    callCase('name that does not exist', { port: closed, ...unknownName }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  rootPath?: string
  service?: string
  isSilent?: true
}

function callCase(name: string, { port, host = 'localhost', rootPath, service, isSilent, ...wish }: Asked): Case {
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  return toCase(grpc, name, {
    ...wish,
    url: `${rootPath === undefined ? 'grpc' : 'grpcs'}://${host}:${port}`,
    target: `${host}:${port}`,
    check: { timeoutMs: seconds * 1000, options: service === undefined ? {} : { service } },
    module: {
      prober: 'grpc',
      timeout: `${wish.error === undefined ? seconds : Math.min(seconds, failingSeconds)}s`,
      grpc: {
        preferred_ip_protocol: 'ip4',
        service: service ?? '',
        ...(rootPath === undefined ? {} : { tls: true, tls_config: { ca_file: rootPath } }),
      },
    },
  })
}
