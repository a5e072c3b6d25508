import { connectFailure } from './connect-failure.ts'
import { attend, type Connection, discard, openConnection, release } from './connection.ts'
import type { NetFailure } from './net-failure.ts'
import { isOwnTrouble, OwnTrouble } from './own-trouble.ts'

export type Dialled = { ok: true; connection: Connection } | { ok: false; failure: NetFailure | 'aborted' }

export type DialTarget = {
  /** Checked addresses in the order of `interleave`; at least one. */
  addresses: readonly string[]
  port: number
  /** `host:port` for texts. */
  label: string
  /** As in `Opening`, like `enter`. */
  readBuffer: Buffer | null
  enter?: (isConclusive?: true) => void
  /** Gets the addresses in the order in which they are tried; null where they are not kept. */
  tried?: string[] | null
}

/** RFC 8305 5: the pause before the next address is tried beside those under way. */
export const attemptDelayMs = 250

/**
 * Happy eyeballs (RFC 8305) over addresses that were checked before. The first to connect wins, the others are closed.
 */
export function dial(target: DialTarget, signal: AbortSignal): Promise<Dialled> {
  const { addresses, port, readBuffer, enter = ignore, tried = null } = target
  return new Promise((resolve, reject) => {
    const attempts: Connection[] = []
    const errors: { address: string; error: NodeJS.ErrnoException }[] = []
    let timer: NodeJS.Timeout | undefined

    function settle(winner: Connection | null): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      for (const attempt of attempts) if (attempt !== winner) discard(attempt)
    }
    function onAbort(): void {
      settle(null)
      resolve({ ok: false, failure: 'aborted' })
    }
    function onConnect(connection: Connection): void {
      settle(connection)
      release(connection)
      resolve({ ok: true, connection })
    }
    function onError(address: string, error: NodeJS.ErrnoException): void {
      errors.push({ address, error })
      if (attempts.length < addresses.length) return attemptNext()
      if (errors.length < attempts.length) return
      settle(null)
      const own = errors.find((each) => isOwnTrouble(attemptCode(each)))
      if (own !== undefined) reject(new OwnTrouble(attemptCode(own), own.error))
      else resolve({ ok: false, failure: connectFailure(errors.map(attemptCode), target.label) })
    }
    function attemptNext(): void {
      clearTimeout(timer)
      const address = addresses[attempts.length]
      if (address === undefined) return
      const connection = openConnection({ address, port, readBuffer, enter })
      attempts.push(connection)
      tried?.push(address)
      attend(connection, {
        onConnect: () => onConnect(connection),
        onError: (error) => onError(address, error),
      })
      if (attempts.length < addresses.length) timer = setTimeout(attemptNext, attemptDelayMs)
    }

    if (signal.aborted) return resolve({ ok: false, failure: 'aborted' })
    signal.addEventListener('abort', onAbort)
    attemptNext()
  })
}

/**
 * RFC 8305 4: IPv6 first, then by turns. At most eight addresses, so that a name cannot make the prober knock
 * everywhere.
 */
export function interleave(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 1) return addresses
  const six = addresses.filter((address) => address.includes(':'))
  const four = addresses.filter((address) => !address.includes(':'))
  const turns = Array.from({ length: Math.max(six.length, four.length) }, (_, turn) => [six[turn], four[turn]])
  return turns
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, maxAddresses)
}

const maxAddresses = 8

/** A machine without IPv6 reports a missing address, which is a missing route here and not a shortage of ports. */
export function attemptCode({ address, error }: { address: string; error: NodeJS.ErrnoException }): string {
  const code = error.code ?? 'EUNKNOWN'
  const lacksFamily = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
  return lacksFamily && address.includes(':') ? 'ENETUNREACH' : code
}

function ignore(): void {}
