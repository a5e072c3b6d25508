import { createIcmpAccess } from '#net/ping/icmp-access.ts'

const opened = await createIcmpAccess()(4).then(
  (echoes) => {
    echoes?.close()
    return null
  },
  (error: unknown) => String(error),
)

/** Why tests that ping are skipped, or false. */
export const withoutPing: string | false = opened ?? false
