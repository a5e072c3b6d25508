import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { after } from 'node:test'
import koffi from 'koffi'

export type PseudoTerminal = {
  /** For the standard streams of a program, which take it for a terminal. */
  side: number
  /** What programs have written so far, with their escape sequences. */
  written: () => string
  /** As if a person had pressed these keys. */
  type: (keys: string) => void
  resize: (size: TerminalSize) => void
  /** Whether the terminal echoes what is typed, as it does unless a program has taken the keys for itself. */
  isEchoing: () => boolean
  /** Called at everything that is written. */
  onWritten: (listener: () => void) => void
}

export type TerminalSize = { columns: number; rows: number }

const isMac = process.platform === 'darwin'
const escape = '\u001b'
/** Requests of ioctl, and where the local flags stand in termios (sys/ttycom.h and asm-generic/ioctls.h). */
const setSize = isMac ? 0x80087467 : 0x5414
const flagsAt = isMac ? 24 : 12
const echo = 8

/** A pair of devices that are a terminal (posix_openpt of POSIX.1-2024). Closed when the test is done. */
export function pseudoTerminal(size: TerminalSize = { columns: 80, rows: 24 }): PseudoTerminal {
  const system = libraryCalls()
  const own: number = system.open(constants.O_RDWR | constants.O_NOCTTY)
  if (own < 0 || system.grant(own) !== 0 || system.unlock(own) !== 0) throw new Error('There is no pseudo terminal.')
  const side = openSync(String(system.name(own)), constants.O_RDWR | constants.O_NOCTTY)
  const resize = ({ columns, rows }: TerminalSize): void => {
    const place = Buffer.from(new Uint16Array([rows, columns, 0, 0]).buffer)
    if (system.control(side, setSize, 'void *', place) !== 0) throw new Error('The size cannot be set.')
  }
  resize(size)
  let written = ''
  const listeners: (() => void)[] = []
  const reader = new ReadStream(own)
  reader.setEncoding('utf8').on('data', (text: string) => {
    written += text
    for (const listener of listeners) listener()
  })
  // The end of the other side is an error on Linux.
  reader.on('error', () => {})
  after(() => {
    reader.destroy()
    closeSync(side)
  })
  return {
    side,
    written: () => written,
    type: (keys) => void writeSync(own, keys),
    resize,
    isEchoing: () => {
      const settings = Buffer.alloc(256)
      if (system.settings(side, settings) !== 0) throw new Error('The terminal cannot be asked.')
      return (settings.readUInt32LE(flagsAt) & echo) !== 0
    },
    onWritten: (listener) => void listeners.push(listener),
  }
}

/**
 * The lines that stand on a screen after all of this was written, as far as it moves the cursor to beginnings of lines,
 * clears and colours.
 */
export function screenOf(written: string): string[] {
  const lines: string[] = []
  let row = 0
  const place = new RegExp(String.raw`${escape}\[(?:(\d+);1H|(2J)|[?0-9;]*[A-Za-z])|([^${escape}]+)`, 'g')
  for (const [, line, clearing, text] of written.matchAll(place)) {
    if (clearing === '2J') lines.length = 0
    if (line !== undefined) {
      row = Number(line) - 1
      lines[row] = ''
    }
    if (text !== undefined) lines[row] = `${lines[row] ?? ''}${text}`
  }
  return Array.from(lines, (line) => (line ?? '').trimEnd())
}

function libraryCalls() {
  const library = koffi.load(null)
  return {
    open: library.func('int posix_openpt(int flags)'),
    grant: library.func('int grantpt(int fd)'),
    unlock: library.func('int unlockpt(int fd)'),
    name: library.func('const char *ptsname(int fd)'),
    control: library.func('int ioctl(int fd, unsigned long request, ...)'),
    settings: library.func('int tcgetattr(int fd, _Out_ void *settings)'),
  }
}
