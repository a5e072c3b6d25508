import { writeSync } from 'node:fs'

export type FullScreen = {
  /** Draws these lines, of which only those are written that are not there yet. */
  draw: (lines: readonly string[]) => void
  size: () => { columns: number; rows: number }
  /** Gives the terminal back as it was. May be called again. */
  leave: () => void
}

const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J'
const restore = '\u001b[?7h\u001b[?25h\u001b[?1049l'
/** What comes between is shown at once by terminals that know this, and by the others as it comes. */
const [together, apart] = ['\u001b[?2026h', '\u001b[?2026l']
const usualSize = { columns: 80, rows: 24 }

/**
 * Takes the whole terminal, on a screen of its own, and the keys. However the process ends, but by SIGKILL, the terminal
 * is as before: what was there comes back, with the cursor and the echo.
 */
export function takeScreen(onKeys: (input: string) => void, onResize: () => void): FullScreen {
  const { stdin, stdout } = process
  let before: readonly string[] = []
  let isTaken = true
  const leave = (): void => {
    if (!isTaken) return
    isTaken = false
    process.off('exit', leave)
    stdin.off('data', onKeys).off('end', onEnd)
    stdout.off('resize', redraw)
    try {
      stdin.setRawMode(false).pause()
      // At the end of a process nothing is written later.
      writeSync(stdout.fd, restore)
    } catch {
      // The terminal is gone, and with it what there was to give back.
    }
  }
  const onEnd = (): void => onKeys('q')
  const redraw = (): void => {
    before = []
    stdout.write('\u001b[2J')
    onResize()
  }
  process.on('exit', leave)
  stdin.setRawMode(true).setEncoding('utf8').on('data', onKeys).on('end', onEnd)
  stdout.on('resize', redraw)
  stdout.write(enter)
  return {
    size: () => ({ columns: stdout.columns || usualSize.columns, rows: stdout.rows || usualSize.rows }),
    draw: (lines) => {
      if (!isTaken) return
      const text = changesBetween(before, lines)
      before = lines
      if (text !== '') stdout.write(`${together}${text}${apart}`)
    },
    leave,
  }
}

/** What turns one screen into another, line by line. */
export function changesBetween(before: readonly string[], lines: readonly string[]): string {
  return lines
    .map((line, index) => (line === before[index] ? '' : `\u001b[${index + 1};1H${line}\u001b[0m\u001b[K`))
    .join('')
}
