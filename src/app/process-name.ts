import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/**
 * A name for this process that no other of the installation ever had; a new one at each call. Host and number are not
 * enough: containers that share a host's name have the number 1 each, and two engines of one name would hold the same
 * partitions in the same epoch.
 */
export function processName(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
}
