import { openWay } from '../way.ts'

export type Cable = { port: number; cut: () => void; mend: () => void }

/**
 * A way to a port on loopback that falls silent when it is cut, as a link does: neither side hangs up by itself. Once it
 * is mended, both learn that their connection is gone.
 */
export async function layCable(port: number): Promise<Cable> {
  let isCut = false
  const passes = (): boolean => !isCut
  const way = await openWay({ port, host: '127.0.0.1' }, { watch: () => ({ forth: passes, back: passes }) })
  return {
    port: way.port,
    cut: () => {
      isCut = true
    },
    mend: () => {
      way.cut()
      isCut = false
    },
  }
}
