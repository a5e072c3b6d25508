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
