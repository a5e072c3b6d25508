// Ids are made of what every process knows, so that nothing of a trace travels with orders, results and alerts.
import { hash } from 'node:crypto'

/**
 * The trace of a round, `round` being its name in microseconds since 1970. Alerts tell its time in milliseconds, so
 * these count: rounds that a jump of the clock names some microseconds apart share a trace.
 */
export function traceIdOf(monitorId: string, round: number): string {
  return hash('sha256', textOf(monitorId, round)).slice(0, 32)
}

/** `what` says which one of the trace: a name, with what tells it apart from others of that name. */
export function spanIdOf(traceId: string, what: string): string {
  return hash('sha256', `${traceId} ${what}`).slice(0, 16)
}

/**
 * Whether a round is among this share of all rounds: the same everywhere. Asked for every check, so it costs a tenth of
 * a microsecond and not the whole one of a hash that hides what it is made of.
 */
export function isInShare(monitorId: string, round: number, share: number): boolean {
  return mixed(textOf(monitorId, round)) < share * 2 ** 32
}

function textOf(monitorId: string, round: number): string {
  return `${monitorId} ${Math.trunc(round / 1000)}`
}

/** FNV-1a, and the last steps of MurmurHash3, after which each bit depends on all others: from 0 to 2³² - 1. */
function mixed(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
