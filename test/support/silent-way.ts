import { openWay, type Way } from './way.ts'

export type SilentWay = Way & {
  /**
   * While true, no byte arrives on either side and neither side hangs up, as when the other machine has lost its power.
   */
  hush: (isSilent: boolean) => void
}

/** A port on loopback that leads to a unix socket. */
export async function silentWay(path: string): Promise<SilentWay> {
  let isSilent = false
  const passes = (): boolean => !isSilent
  const way = await openWay({ path }, { watch: () => ({ forth: passes, back: passes }) })
  return {
    ...way,
    hush: (next) => {
      isSilent = next
    },
  }
}
