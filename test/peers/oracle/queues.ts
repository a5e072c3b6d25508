import { rabbitmq } from '#kinds/broker/rabbitmq.ts'
import type { PluginCommand } from '../../support/peers/monitoring-plugins.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { findProgram } from '../../support/peers/program.ts'
import { type RabbitmqPeer, startRabbitmq } from '../../support/peers/rabbitmq.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import { oracleCertificates } from './certificates.ts'

/** RabbitMQ of Debian, and servers that are none. */
export async function queueCases(): Promise<Case[]> {
  const { good, expired, wrongName, rootPath } = oracleCertificates()
  const broker = await startRabbitmq()
  const { port } = broker
  for (const text of ['one', 'two', 'three']) broker.publish('orders', text)
  const secured = async (certificate: typeof good): Promise<Asked> => ({
    port: await broker.secure(certificate),
    rootPath,
  })
  const silent = (await rawServer(() => {})).port
  const closed = await freePort()
  return [
    publishCase('good', { port }),
    publishCase('wrong password', { port, password: 'another', error: /^The server does not accept the user/ }),
    publishCase('a virtual host that is not allowed', { port, path: 'locked', error: /refused for user/ }),
    publishCase('a virtual host that is not there', { port, path: 'none', error: /vhost none not found/ }),
    queueCase(broker, 'as many messages as may be', { queue: 'orders', most: 3 }),
    queueCase(broker, 'too many messages', {
      queue: 'orders',
      most: 2,
      ours: 'degraded',
      error: /^The queue has more ready messages/,
    }),
    queueCase(broker, 'no consumer', { queue: 'orders', most: 3, least: 1, error: /^The queue has no consumer/ }),
    queueCase(broker, 'a queue that is not there', { queue: 'none', most: 3, error: /^The queue does not exist/ }),
    publishCase('TLS: good', await secured(good)),
    publishCase('TLS: expired certificate', { ...(await secured(expired)), error: /expired on/ }),
    publishCase('TLS: certificate of another name', { ...(await secured(wrongName)), error: /is for shop\.example/ }),
    publishCase('another protocol (OpenSSH)', { port: (await startOpenssh()).port, error: /^Not an AMQP server/ }),
    publishCase('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    publishCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    publishCase('name that does not exist', { port: closed, ...unknownName }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  path?: string
  password?: string
  rootPath?: string
  isSilent?: true
}

/** A client that publishes to no queue: it succeeds, or it is critical. */
function publishCase(name: string, asked: Asked): Case {
  const { port, host = 'localhost', path = 'shop', password = 'a secret', rootPath, isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const scheme = rootPath === undefined ? 'amqp' : 'amqps'
  const address = `${scheme}://watcher:${encodeURIComponent(password)}@${host}:${port}/${path}`
  const tls = rootPath === undefined ? [] : [`--cacert=${rootPath}`]
  const program = findProgram('amqp-publish') ?? 'amqp-publish'
  const command: PluginCommand = [
    'sh',
    '-c',
    'seconds=$1; shift; timeout "$seconds" "$0" "$@" || exit 2',
    program,
    String(seconds + 1),
    '-u',
    address,
    ...tls,
    '-r',
    'nobody',
    '-b',
    'a message of its own',
  ]
  return toCase(rabbitmq, name, {
    ...wish,
    url: `${scheme}://${host}:${port}/${path}`,
    check: { timeoutMs: seconds * 1000, options: { username: 'watcher', password } },
    command,
  })
}

type Counted = Pick<Wish, 'ours' | 'error'> & { queue: string; most: number; least?: number }

/** What the broker itself lists: the limits are judged as ours are, and a queue that is not listed is critical. */
function queueCase({ port, control }: RabbitmqPeer, name: string, counted: Counted): Case {
  const { queue, most, least = 0, ...wish } = counted
  const judge = `$1 == "${queue}" { found = 1; if ($3 < ${least}) state = 2; else if ($2 > ${most}) state = 1 }`
  const script = `said=$("$@" -q list_queues -p shop name messages_ready consumers) || exit 3
    printf '%s\\n' "$said" | awk '${judge} END { exit found ? state : 2 }'`
  return toCase(rabbitmq, name, {
    ...wish,
    url: `amqp://localhost:${port}/shop`,
    check: {
      options: {
        username: 'watcher',
        password: 'a secret',
        queue,
        max_messages: most,
        ...(least === 0 ? {} : { min_consumers: least }),
      },
    },
    command: ['sh', '-c', script, 'sh', ...control],
  })
}
