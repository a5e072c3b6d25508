/**
 * Trouble of this machine's own: no file descriptors, no free port, no memory for sockets. It says nothing about the
 * target, so it is thrown and the check has no result (decisions.md A4).
 */
export class OwnTrouble extends Error {
  constructor(code: string, cause: Error, message = `This machine cannot open connections now (${code}).`) {
    super(message, { cause })
    this.name = 'OwnTrouble'
  }
}

/**
 * Trouble that lasts until someone mends this machine: a permission or a program that a kind needs is missing. Whoever
 * has the monitor must learn that nothing is checked, so the result is degraded, which opens no incident. The message
 * is shown to them: it says what is not possible at this location, and after a colon what its operator has to do.
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
