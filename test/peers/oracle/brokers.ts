import { mqtt } from '#kinds/broker/mqtt.ts'
import type { PluginCommand } from '../../support/peers/monitoring-plugins.ts'
import { startMosquitto } from '../../support/peers/mosquitto.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { findProgram } from '../../support/peers/program.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import { oracleCertificates } from './certificates.ts'

const topic = 'perigee/check'
const watched = 'plant/state'

/** Mosquitto of Debian, and servers that are none. */
export async function brokerCases(): Promise<Case[]> {
  const { good, expired, wrongName, rootPath } = oracleCertificates()
  const { port } = await startRunning()
  const guarded = await startMosquitto({
    users: { watcher: 'a secret' },
    access: ['user watcher', `topic readwrite ${topic}`],
  })
  const asWatcher = { port: guarded.port, username: 'watcher', password: 'a secret', topic }
  const secured = async (certificate: typeof good): Promise<Asked> => ({
    port: (await startMosquitto({ certificate })).port,
    topic,
    rootPath,
  })
  const silent = (await rawServer(() => {})).port
  const closed = await freePort()
  return [
    brokerCase('good, version 3.1.1', { port, topic }),
    brokerCase('good, version 5', { port, topic, version: '5' }),
    brokerCase('good, each message at least once', { port, topic, version: '5', qos: 1 }),
    brokerCase('the retained message', { port, watched, text: 'running' }),
    brokerCase('another retained message', { port, watched, text: 'stopped', error: /^The watched topic has another/ }),
    brokerCase('no message', { port, watched: 'plant/none', isSilent: true, error: /a message of the watched topic$/ }),
    brokerCase('signed in', asWatcher),
    brokerCase('wrong password', { ...asWatcher, password: 'another', error: /^The server does not accept the user/ }),
    brokerCase('no user', { port: guarded.port, topic, error: /^The server wants a user/ }),
    brokerCase('a topic that is not allowed', {
      ...asWatcher,
      topic: 'plant/check',
      version: '5',
      qos: 1,
      isSilent: true,
      error: /not authorized \(0x87\)$/,
    }),
    brokerCase('TLS: good', await secured(good)),
    brokerCase('TLS: expired certificate', { ...(await secured(expired)), error: /expired on/ }),
    brokerCase('TLS: certificate of another name', { ...(await secured(wrongName)), error: /is for shop\.example/ }),
    brokerCase('another protocol (OpenSSH)', {
      port: (await startOpenssh()).port,
      topic,
      error: /^Not an MQTT server/,
    }),
    brokerCase('silent server', { port: silent, topic, isSilent: true, error: /^Timed out after 1000 ms/ }),
    brokerCase('connection refused', { port: closed, topic, error: /^Connection refused by localhost/ }),
    brokerCase('name that does not exist', { port: closed, topic, ...unknownName }),
  ]
}

async function startRunning(): ReturnType<typeof startMosquitto> {
  const broker = await startMosquitto()
  broker.publish('-t', watched, '-r', '-m', 'running')
  return broker
}

type Asked = Omit<Wish, 'url' | 'command' | 'module' | 'check'> & {
  port: number
  host?: string
  rootPath?: string
  version?: '3.1.1' | '5'
  username?: string
  password?: string
  topic?: string
  qos?: 0 | 1
  watched?: string
  text?: string
  isSilent?: true
}

/** mosquitto_rr publishes a message and waits for it; mosquitto_sub waits for the message of somebody else. */
function brokerCase(name: string, asked: Asked): Case {
  const { port, host = 'localhost', rootPath, version = '3.1.1', username, password, isSilent, ...rest } = asked
  const { topic: own, qos = 0, watched: other, text, ...wish } = rest
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const options = {
    protocol_version: version,
    ...(username === undefined ? {} : { username, password }),
    ...(own === undefined ? {} : { topic: own, qos }),
    ...(other === undefined ? {} : { watched_topic: other }),
    ...(text === undefined ? {} : { expected_message: text }),
  }
  const common = ['-h', host, '-p', String(port), '-V', version === '5' ? '5' : '311', '-W', String(seconds + 1)]
  const access = username === undefined ? [] : ['-u', username, '-P', password ?? '']
  const tls = rootPath === undefined ? [] : ['--cafile', rootPath]
  const asking =
    own === undefined
      ? ['-t', other ?? '', '-C', '1']
      : ['-t', own, '-e', own, '-q', String(qos), '-m', 'a message of its own']
  return toCase(mqtt, name, {
    ...wish,
    url: `${rootPath === undefined ? 'mqtt' : 'mqtts'}://${host}:${port}`,
    check: { timeoutMs: seconds * 1000, options },
    command: client(own === undefined ? 'mosquitto_sub' : 'mosquitto_rr', text ?? '', [
      ...common,
      ...access,
      ...tls,
      ...asking,
    ]),
  })
}

/** A client that succeeds and prints the text is OK, any other is critical. */
function client(program: string, text: string, words: readonly string[]): PluginCommand {
  const script = 'text=$1; shift; said=$("$0" "$@") || exit 2; case $said in *"$text"*) ;; *) exit 2 ;; esac'
  return ['sh', '-c', script, findProgram(program) ?? program, text, ...words]
}
