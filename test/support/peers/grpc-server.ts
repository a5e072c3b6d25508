import { promisify } from 'node:util'
import { after } from 'node:test'
import { Server, ServerCredentials, status, type UntypedHandleCall } from '@grpc/grpc-js'
import { HealthImplementation, service } from 'grpc-health-check'
import { type Certificate, chainPem } from '../certificates.ts'

export type GrpcPeer = {
  port: number
  health: HealthImplementation
  server: Server
}

type Wish = {
  certificate?: Certificate
  /** Clients have to show a certificate of this authority. */
  clientAuthority?: Certificate
  /** Without it, the server knows no service at all. */
  hasHealth?: boolean
  /** Answers `Check` in place of the health service. */
  check?: UntypedHandleCall
}

/** gRPC for Node as a server on 127.0.0.1, ended after the file. It serves, and so does shop.v1.Orders. */
export async function startGrpc({
  certificate,
  clientAuthority,
  hasHealth = true,
  check,
}: Wish = {}): Promise<GrpcPeer> {
  const server = new Server()
  const health = new HealthImplementation({ '': 'SERVING', 'shop.v1.Orders': 'SERVING' })
  if (check !== undefined) server.addService(service, { check, watch: refuse })
  else if (hasHealth) health.addToServer(server)
  const bind = promisify(server.bindAsync.bind(server))
  const port = await bind('127.0.0.1:0', credentials(certificate, clientAuthority))
  after(() => server.forceShutdown())
  return { port, health, server }
}

function credentials(
  certificate: Certificate | undefined,
  clientAuthority: Certificate | undefined,
): ServerCredentials {
  if (certificate === undefined) return ServerCredentials.createInsecure()
  const pair = { cert_chain: Buffer.from(chainPem(certificate)), private_key: Buffer.from(certificate.keyPem) }
  const authority = clientAuthority === undefined ? null : Buffer.from(clientAuthority.pem)
  return ServerCredentials.createSsl(authority, [pair], clientAuthority !== undefined)
}

const refuse: UntypedHandleCall = (_: unknown, callback: unknown) => {
  if (typeof callback === 'function') callback({ code: status.UNIMPLEMENTED })
}
