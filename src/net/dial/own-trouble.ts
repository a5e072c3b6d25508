/**
 * The prober's machine lacks file descriptors, ports or memory for sockets. That says nothing about the target, so it
 * is thrown and the check has no result (docs/decisions/rounds-and-time.md, "The prober's own trouble").
 */
export class OwnTrouble extends Error {
  constructor(code: string, cause: Error, message = `This machine cannot open connections now (${code}).`) {
    super(message, { cause })
    this.name = 'OwnTrouble'
  }
}

/**
 * The prober lacks a permission or a program that a kind needs, until its operator provides it. The customer has to
 * learn that the monitor is not checked, so the result is degraded, which opens no incident. The message is for the
 * customer: it says what is not possible at this location and, after a colon, what the operator has to do.
 */
export class MissingMeans extends OwnTrouble {
  constructor(message: string, cause: Error) {
    super('EPERM', cause, message)
    this.name = 'MissingMeans'
  }
}

export function isOwnTrouble(code: string): boolean {
  return ownCodes.has(code)
}

const ownCodes = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'EADDRINUSE',
  'EAFNOSUPPORT',
  'EPROTONOSUPPORT',
])
