// A place whose way to the rest of the cluster can be cut: a network namespace where this process is root, else a proxy.
import { after } from 'node:test'
import { cutProxy } from '../cut-proxy.ts'
import { addNamespace, ip } from '../network-namespace.ts'

export type PlaceApart = {
  /** How it is cut, for the report. */
  readonly means: string
  /** The address that the rest of the cluster listens at, so that this place reaches it too. */
  readonly host: string
  /** Runs a program there. */
  command: (file: string, args: readonly string[]) => { file: string; args: readonly string[] }
  /** The address at which this place reaches the broker, which listens at `host`. */
  brokerAddress: (port: number) => Promise<string>
  cut: () => void
  mend: () => void
}

/** Addresses from the range for network tests (RFC 2544), which no other network of this machine uses. */
const near = '198.18.77.1'
const far = '198.18.77.2'

/** For tests that cut nothing off. */
export const noPlaceApart: PlaceApart = {
  means: 'nothing',
  host: '127.0.0.1',
  command: (file, args) => ({ file, args }),
  brokerAddress: async (port) => `127.0.0.1:${port}`,
  cut: () => {},
  mend: () => {},
}

export function placeApart(): PlaceApart {
  return process.getuid?.() === 0 ? namespace() : behindProxy()
}

function namespace(): PlaceApart {
  const name = addNamespace()
  const link = `pg${process.pid}`
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('address', 'add', `${near}/30`, 'dev', link)
  ip('link', 'set', link, 'up')
  ip('-n', name, 'address', 'add', `${far}/30`, 'dev', 'eth0')
  ip('-n', name, 'link', 'set', 'eth0', 'up')
  return {
    means: 'a network namespace',
    host: near,
    command: (file, args) => ({ file: 'ip', args: ['netns', 'exec', name, file, ...args] }),
    brokerAddress: async (port) => `${near}:${port}`,
    cut: () => ip('-n', name, 'link', 'set', 'eth0', 'down'),
    mend: () => ip('-n', name, 'link', 'set', 'eth0', 'up'),
  }
}

function behindProxy(): PlaceApart {
  let proxy: Awaited<ReturnType<typeof cutProxy>> | null = null
  after(async () => proxy?.close())
  return {
    means: 'a proxy before the broker, for want of root',
    host: '127.0.0.1',
    command: (file, args) => ({ file, args }),
    brokerAddress: async (port) => {
      proxy ??= await cutProxy(port)
      return `127.0.0.1:${proxy.port}`
    },
    cut: () => {
      proxy?.refuse(true)
      proxy?.cut()
    },
    mend: () => proxy?.refuse(false),
  }
}
