import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

/** Debian's /usr/sbin/rabbitmqctl changes to a user of its own, whose secret is that of another server. */
const programs = '/usr/lib/rabbitmq/bin'

export type RabbitmqPeer = {
  port: number
  /** The command that runs `rabbitmqctl` for this server. */
  control: readonly string[]
  /** Publishes a message to a queue. */
  publish: (queue: string, text: string) => void
  /** Runs `rabbitmqctl`, which has to succeed. */
  run: (...words: readonly string[]) => void
  /** A further port that speaks TLS alone. */
  secure: (certificate: Certificate, clientAuthority?: Certificate) => Promise<number>
}

/** As the file of definitions of RabbitMQ names them; each queue is at the virtual host `shop`. */
const definitions = {
  users: [
    { name: 'guest', password: 'guest', tags: 'administrator' },
    { name: 'watcher', password: 'a secret', tags: '' },
    { name: 'reader', password: 'a secret', tags: '' },
  ],
  vhosts: [{ name: '/' }, { name: 'shop' }, { name: 'locked' }],
  permissions: [
    { user: 'guest', vhost: '/', configure: '.*', write: '.*', read: '.*' },
    { user: 'watcher', vhost: 'shop', configure: '', write: '.*', read: '.*' },
    { user: 'reader', vhost: 'shop', configure: '', write: '', read: '^orders$' },
  ],
  queues: ['orders', 'mails'].map((name) => ({
    name,
    vhost: 'shop',
    durable: true,
    auto_delete: false,
    arguments: {},
  })),
}

/** RabbitMQ on 127.0.0.1, stopped after the file: a server with the above, and the name service that it wants. */
export async function startRabbitmq(): Promise<RabbitmqPeer> {
  const folder = scratchFolder('rabbitmq')
  const [port, namesPort, clusterPort] = await Promise.all([freePort(), freePort(), freePort()])
  await startDaemon(['epmd', '-address', '127.0.0.1', '-port', String(namesPort)], { folder, ports: [namesPort] })
  mkdirSync(join(folder, 'mnesia'))
  writeFileSync(join(folder, 'plugins'), '[].')
  writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions))
  writeFileSync(
    join(folder, 'rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${port}\nload_definitions = ${join(folder, 'definitions.json')}\n`,
  )
  const settings = [
    `HOME=${folder}`,
    'ERL_EPMD_ADDRESS=127.0.0.1',
    `ERL_EPMD_PORT=${namesPort}`,
    `RABBITMQ_NODENAME=perigee${port}@localhost`,
    `RABBITMQ_DIST_PORT=${clusterPort}`,
    'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}',
    `RABBITMQ_MNESIA_BASE=${join(folder, 'mnesia')}`,
    `RABBITMQ_CONFIG_FILE=${join(folder, 'rabbitmq')}`,
    `RABBITMQ_ENABLED_PLUGINS_FILE=${join(folder, 'plugins')}`,
    `RABBITMQ_PID_FILE=${join(folder, 'pid')}`,
    'RABBITMQ_CONF_ENV_FILE=/dev/null',
    'RABBITMQ_LOGS=-',
  ]
  await startDaemon(['env', ...settings, join(programs, 'rabbitmq-server')], { folder, ports: [port] })
  const control = ['env', ...settings, join(programs, 'rabbitmqctl')]
  const run = (...words: readonly string[]): string => execute([...control, ...words])
  return {
    port,
    control,
    publish: (queue, text) => {
      execute(['amqp-publish', '-u', `amqp://watcher:a%20secret@127.0.0.1:${port}/shop`, '-r', queue, '-b', text])
    },
    run: (...words) => void run(...words),
    secure: async (certificate, clientAuthority) => {
      const securedPort = await freePort()
      const options = tlsOptions(folder, certificate, clientAuthority)
      run(
        'eval',
        `rabbit_networking:ensure_ssl(), ok = rabbit_networking:start_ssl_listener({"127.0.0.1", ${securedPort}}, ${options}, 1).`,
      )
      return securedPort
    },
  }
}

function tlsOptions(folder: string, certificate: Certificate, clientAuthority: Certificate | undefined): string {
  const { cert, key } = writeCertificate(folder, certificate)
  const own = `{certfile, "${cert}"}, {keyfile, "${key}"}`
  if (clientAuthority === undefined) return `[${own}]`
  const { cert: authority } = writeCertificate(folder, clientAuthority)
  return `[${own}, {cacertfile, "${authority}"}, {verify, verify_peer}, {fail_if_no_peer_cert, true}]`
}

/** Erlang takes some seconds to start, on a busy machine many. */
function execute([program = '', ...words]: readonly string[]): string {
  return execFileSync(program, words, { timeout: 60_000, encoding: 'utf8' })
}
