import type { EngineStore } from '#store/engine-store.ts'

/** The numbers by which the results table names locations; they never change once given. */
export type LocationIds = {
  idOf: (code: string) => number | undefined
  /** Reads the table again when one of these is not known yet, at most once a second. */
  learn: (codes: Iterable<string>) => Promise<void>
}

const rereadAfterMs = 1_000

export function createLocationIds(store: Pick<EngineStore, 'readLocationIds'>, now: () => number): LocationIds {
  let ids = new Map<string, number>()
  let readMs = -Infinity
  return {
    idOf: (code) => ids.get(code),
    learn: async (codes) => {
      for (const code of codes) {
        if (ids.has(code) || now() - readMs < rereadAfterMs) continue
        ids = await store.readLocationIds()
        readMs = now()
      }
    },
  }
}
