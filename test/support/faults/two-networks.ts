// A service in a network namespace of its own, and the Internet in another: what lies between them can fail.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addNamespace, ip } from '../network-namespace.ts'

export type TwoNetworks = {
  /** Runs a program where the service is. */
  atService: (file: string, args: readonly string[]) => { file: string; args: readonly string[] }
  /** The address at which this process reaches the service. */
  serviceHost: string
  /** The address of this machine at which the service reaches it, whatever its own link does. */
  ownHost: string
  nameServer: string
  /** The addresses of the service and of web servers in a private network. */
  lan: { service: string; router: string; printer: string }
  /** The service's own link goes down and up: its kernel knows it. */
  link: (state: 'down' | 'up') => void
  /** What the service sends still leaves, and nothing comes back: its kernel knows nothing. */
  upstream: (state: 'lost' | 'back') => void
  /** The name server takes questions and answers none. */
  names: (state: 'silent' | 'back') => void
  /**
   * Starts a resolver on the service's own machine, which asks the name server and answers SERVFAIL while that is
   * silent, as resolvers do. It may fall silent itself.
   */
  addResolver: () => Promise<{ address: string; turn: (state: 'silent' | 'back') => void }>
  /** A host of the Internet, or the printer, is gone for good, or there again. */
  host: (address: string, state: 'gone' | 'there') => void
}

/** Each in a network of its own, as references have to be. The namespaces reach nothing but each other. */
export const hosts = ['5.1.0.1', '5.2.0.1', '5.3.0.1', '5.4.0.1', '5.5.0.1'] as const
export const namedHost = '5.6.0.1'
const nameServer = '5.9.0.1'
const resolver = '127.0.0.53'
const world = fileURLToPath(new URL('./world.ts', import.meta.url))

/** `place` tells those apart that are there at the same time: even, 0 to 254. */
export async function twoNetworks(place = 78): Promise<TwoNetworks> {
  const control = { here: `198.18.${place}.1`, there: `198.18.${place}.2` }
  const path = { service: `198.18.${place + 1}.2`, internet: `198.18.${place + 1}.1` }
  const lan = { service: `192.168.${place}.2`, router: `192.168.${place}.1`, printer: `192.168.${place}.3` }
  const service = addNamespace()
  const internet = addNamespace('-internet')
  const own = `pg${process.pid}`
  ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'control', 'netns', service)
  ip('address', 'add', `${control.here}/30`, 'dev', own)
  ip('link', 'set', own, 'up')
  ip('-n', service, 'address', 'add', `${control.there}/30`, 'dev', 'control')
  ip('-n', service, 'link', 'set', 'control', 'up')
  ip('-n', service, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', internet)
  ip('-n', service, 'address', 'add', `${path.service}/30`, 'dev', 'eth0')
  ip('-n', internet, 'address', 'add', `${path.internet}/30`, 'dev', 'eth0')
  ip('-n', service, 'address', 'add', `${lan.service}/24`, 'dev', 'eth0')
  ip('-n', internet, 'address', 'add', `${lan.router}/24`, 'dev', 'eth0')
  for (const address of [...hosts, namedHost, nameServer, lan.printer])
    ip('-n', internet, 'address', 'add', `${address}/32`, 'dev', 'lo')
  ip('-n', internet, 'link', 'set', 'eth0', 'up')
  const open = (): void => {
    ip('-n', service, 'link', 'set', 'eth0', 'up')
    ip('-n', service, 'route', 'replace', 'default', 'via', path.internet)
  }
  open()
  await inNamespace(internet, 'web')
  const names = await inNamespace(internet, 'names', nameServer, namedHost)
  return {
    atService: (file, args) => ({ file: 'ip', args: ['netns', 'exec', service, file, ...args] }),
    serviceHost: control.there,
    ownHost: control.here,
    nameServer,
    lan,
    // The kernel forgets the routes of a link that goes down.
    link: (state) => (state === 'up' ? open() : ip('-n', service, 'link', 'set', 'eth0', 'down')),
    upstream: (state) =>
      ip('-n', internet, 'route', state === 'lost' ? 'add' : 'delete', 'blackhole', `${path.service}/32`),
    names: (state) => stop(names, state === 'silent'),
    addResolver: async () => {
      const running = await inNamespace(service, 'resolver', resolver, nameServer)
      return { address: resolver, turn: (state) => stop(running, state === 'silent') }
    },
    host: (address, state) =>
      ip('-n', internet, 'address', state === 'gone' ? 'delete' : 'add', `${address}/32`, 'dev', 'lo'),
  }
}

/** Stops a process, which then answers nothing, or lets it go on. */
function stop(child: ChildProcess, isStopped: boolean): void {
  child.kill(isStopped ? 'SIGSTOP' : 'SIGCONT')
}

/** A part of the world that is ready; ended with the test. */
async function inNamespace(name: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, world, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  after(() => {
    process.off('exit', kill)
    kill()
  })
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) })
  return child
}
