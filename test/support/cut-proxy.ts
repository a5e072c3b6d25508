import { openWay, type Way } from './way.ts'

export type CutProxy = Way & {
  /** While true, new connections are ended at once. */
  refuse: (isRefusing: boolean) => void
}

/** A way to a port on loopback that can be cut; new connections are let through after. */
export async function cutProxy(port: number): Promise<CutProxy> {
  let isRefusing = false
  const way = await openWay({ port, host: '127.0.0.1' }, { admits: () => !isRefusing })
  return {
    ...way,
    refuse: (next) => {
      isRefusing = next
    },
  }
}
