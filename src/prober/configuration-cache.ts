import type { CheckConfiguration } from '#core/monitors/check.ts'

/** Bytes of configurations kept at a location, some 150,000 usual ones; the least recently used ones make room. */
const maxBytes = 256 * 1024 * 1024
/** Bytes that a configuration takes beside its texts. */
const ownBytes = 1_300

export type ConfigurationCache = {
  /** Null when there is none, or only one of an older version. */
  get: (monitorId: string, version: number) => CheckConfiguration | null
  put: (configuration: CheckConfiguration) => void
  readonly size: number
}

type Kept = { configuration: CheckConfiguration; bytes: number }

/** More monitors than fit are asked for anew at every round, so the limit lies far above what one prober checks. */
export function createConfigurationCache(limit: number = maxBytes): ConfigurationCache {
  const kept = new Map<string, Kept>()
  let bytes = 0
  function forget(monitorId: string): void {
    bytes -= kept.get(monitorId)?.bytes ?? 0
    kept.delete(monitorId)
  }
  return {
    get size() {
      return kept.size
    },
    get: (monitorId, version) => {
      const found = kept.get(monitorId)
      if (found === undefined || found.configuration.version < version) return null
      if (bytes > limit / 2) {
        kept.delete(monitorId)
        kept.set(monitorId, found)
      }
      return found.configuration
    },
    put: (configuration) => {
      const { monitorId } = configuration
      forget(monitorId)
      const added = { configuration, bytes: ownBytes + JSON.stringify(configuration).length }
      kept.set(monitorId, added)
      bytes += added.bytes
      for (const oldest of kept.keys()) {
        if (bytes <= limit || oldest === monitorId) return
        forget(oldest)
      }
    },
  }
}
