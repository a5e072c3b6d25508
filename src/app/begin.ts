import type { Config } from '#config/config.ts'
import { assertPayable } from '#payments/payable.ts'
import type { ProberProcess } from '#prober/prober-process.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import type { Log } from './log.ts'
import { allRoles, type Roles } from '#config/roles.ts'
import { openProberProcess } from './start-probers.ts'

/** What takes longest to come up. It does so side by side, and beside the loading of what needs it. */
export type Begun = {
  /** Rejects with the reason why the start fails. */
  foundation: Promise<Foundation>
  /** Null where no probers are in a process of their own. */
  apart: ProberProcess | null
  end: () => Promise<void>
}

export type BeginOptions = { config: Config; log: Log; roles: Roles; signal?: AbortSignal }

/** Throws StartError, with nothing begun, where a setting is wrong. */
export async function begin({ config, log, roles, signal }: BeginOptions): Promise<Begun> {
  await assertPayable(config.payments)
  const apart = roles.has('prober') ? openProberProcess(config, log) : null
  const isAlone = roles.size === allRoles.size
  const foundation = openFoundation(config, log, { isAlone, ...(signal === undefined ? {} : { signal }) })
  const settled = foundation.catch(() => null)
  return {
    foundation,
    apart,
    end: async () => {
      await Promise.all([settled.then((opened) => opened?.close()), apart?.stop()])
    },
  }
}
